// One kind of read of one request: a DataLoader that leaves through the gate and remembers, for the
// ledger, whom each key is for. What is read and from where, whoever makes it says.

import DataLoader from 'dataloader'
import type { Meter } from '../store/store.ts'
import type { Calls } from './calls.ts'
import type { Gate } from './gate.ts'
import type { Asker, Ledger } from './ledger.ts'

/** `naive` neither gathers nor remembers: one round trip for each time something is asked for. */
export type Strategy = 'gathered' | 'naive'

export interface LoaderOptions<K, V> {
  readonly gate: Gate
  readonly strategy: Strategy
  readonly ledger: Ledger | undefined
  /** Where round trips are written down, if anyone looks at them. */
  readonly calls: Calls | undefined
  readonly keysPerRequest: number
  /** Equal keys have equal texts. */
  readonly text: (key: K) => string
  /** One round trip: the values of these keys, in their order. */
  readonly read: (keys: readonly K[], meter?: Meter) => Promise<readonly V[]>
}

export class Loader<K, V> {
  readonly #loader: DataLoader<K, V, string>
  readonly #askers: Map<string, Set<string>> | undefined
  readonly #text: (key: K) => string

  constructor({ gate, strategy, ledger, calls, keysPerRequest, text, read }: LoaderOptions<K, V>) {
    const gathered = strategy === 'gathered'
    this.#text = text
    this.#askers = ledger && new Map()
    this.#loader = new DataLoader<K, V, string>((keys) => {
      if (!calls) return gate.hold(read(keys))
      const fields = this.#askers ? [...new Set(keys.flatMap((key) => [...(this.#askers?.get(text(key)) ?? [])]))] : []
      const { wave } = gate
      return gate.hold(read(keys, (receipt) => calls.call(wave, receipt, fields)))
    }, {
      batchScheduleFn: (go) => gate.enter(go),
      cacheKeyFn: text,
      cache: gathered,
      maxBatchSize: gathered ? keysPerRequest : 1,
    })
  }

  load(key: K, asker: Asker): Promise<V> {
    if (this.#askers) {
      const text = this.#text(key)
      const fields = this.#askers.get(text)
      if (fields) fields.add(asker.field)
      else this.#askers.set(text, new Set([asker.field]))
    }
    return this.#loader.load(key)
  }
}
