// Batches one kind of read of one request. Resolvers load one key at a time and get a promise for each, through
// DataLoader. Compiled plans load all keys of a level, and get them without a promise where the store answers at once. Both
// join the same chunks, which the wave scheduler sends. The options say what is read and from where.

import DataLoader from 'dataloader'
import { allRead, Pending, whenRead, type MaybePending, type MaybePromise } from '../store/maybe-promise.ts'
import type { Meter } from '../store/store.ts'
import type { CallLog } from './call-log.ts'
import type { WaveScheduler } from './wave-scheduler.ts'
import type { Asker, ReadLog } from './read-log.ts'

/**
 * `naive` neither batches nor caches: one round trip for every load.
 *
 * @example
 * ```ts
 * const strategy: Strategy = 'naive'
 * ```
 */
export type Strategy = 'batched' | 'naive'

export interface LoaderOptions<K, V> {
  readonly scheduler: WaveScheduler
  readonly strategy: Strategy
  readonly readLog: ReadLog | undefined
  /** Where round trips are logged, if anything observes them. */
  readonly calls: CallLog | undefined
  readonly keysPerRequest: number
  /** A text that is equal for equal keys. */
  readonly text: (key: K) => string
  /** One round trip: the values of these keys, in their order. */
  readonly read: (keys: readonly K[], meter?: Meter) => MaybePromise<readonly V[]>
}

/** Keys that are sent together, as one round trip. */
interface Chunk<K, V> {
  readonly keys: K[]
  /** The texts of the keys whose values are cached. */
  readonly texts: (string | undefined)[]
  readonly answered: Pending<readonly V[]>
}

export class Loader<K, V> {
  readonly #options: LoaderOptions<K, V>
  readonly #batches: boolean
  /** Created with the first load of one key: plans load many, and need none. */
  #oneByOne: DataLoader<K, V, string> | undefined
  readonly #askers: Map<string, Set<string>> | undefined
  readonly #known = new Map<string, V>()
  /** By the text of a key that is waiting or under way. */
  readonly #pending = new Map<string, Chunk<K, V>>()
  /** The chunk that has not been sent and still has room. */
  #open: Chunk<K, V> | undefined

  constructor(options: LoaderOptions<K, V>) {
    this.#options = options
    this.#batches = options.strategy === 'batched'
    this.#askers = options.readLog && new Map()
  }

  /** The value of one key. */
  load(key: K, asker: Asker): Promise<V> {
    this.#ask(key, asker)
    this.#oneByOne ??= this.#dataLoader()
    return this.#oneByOne.load(key)
  }

  /** The values of several keys of one field, with one promise for all of them. */
  loadAll(keys: readonly K[], asker: Asker): MaybePromise<readonly V[]> {
    if (this.#askers) for (const key of keys) this.#ask(key, asker)
    const values = this.all(keys)
    return values instanceof Pending ? values.outcome() : values
  }

  #ask(key: K, { field }: Asker): void {
    if (!this.#askers) return
    const text = this.#options.text(key)
    const fields = this.#askers.get(text)
    if (fields) fields.add(field)
    else this.#askers.set(text, new Set([field]))
  }

  /** The values of these keys, in their order. */
  all(keys: readonly K[]): MaybePending<readonly V[]> {
    if (!this.#batches) return allRead(keys.length, (at) => this.#alone(keys[at]!))
    const texts = keys.map(this.#options.text)
    const chunks = new Set<Chunk<K, V>>()
    for (let at = 0; at < texts.length; at++) {
      const text = texts[at]!
      if (!this.#known.has(text)) chunks.add(this.#pending.get(text) ?? this.#join(keys[at]!, text))
    }
    const inOrder = (): V[] => texts.map((text) => this.#known.get(text) as V)
    if (chunks.size === 0) return inOrder()
    const asked = [...chunks]
    return whenRead(allRead(asked.length, (at) => asked[at]!.answered), inOrder)
  }

  /**
   * The same for keys that the caller knows to be new in this request. If nothing else was loaded before,
   * they cannot be duplicates, and their texts are not needed.
   */
  fresh(keys: readonly K[]): MaybePending<readonly V[]> {
    const { keysPerRequest } = this.#options
    if (!this.#batches || this.#askers || this.#known.size > 0 || this.#pending.size > 0 || keys.length > keysPerRequest) return this.all(keys)
    if (this.#open && this.#open.keys.length + keys.length > keysPerRequest) this.#open = undefined
    const chunk = (this.#open ??= this.#scheduled())
    const from = chunk.keys.length
    for (const key of keys) chunk.keys.push(key)
    return whenRead(chunk.answered, (values) => (values.length === keys.length ? values : values.slice(from, from + keys.length)))
  }

  #dataLoader(): DataLoader<K, V, string> {
    const { text, keysPerRequest } = this.#options
    return new DataLoader<K, V, string>(async (keys) => this.all(keys), {
      // Before the wave is sent, which waits until the microtask queue is empty.
      batchScheduleFn: queueMicrotask,
      cacheKeyFn: text,
      cache: this.#batches,
      maxBatchSize: this.#batches ? keysPerRequest : 1,
    })
  }

  #join(key: K, text: string): Chunk<K, V> {
    const chunk = (this.#open ??= this.#scheduled())
    chunk.texts[chunk.keys.length] = text
    chunk.keys.push(key)
    this.#pending.set(text, chunk)
    if (chunk.keys.length >= this.#options.keysPerRequest) this.#open = undefined
    return chunk
  }

  #alone(key: K): MaybePending<V> {
    const chunk = this.#scheduled()
    chunk.keys.push(key)
    chunk.texts.push(this.#options.text(key))
    return whenRead(chunk.answered, ([value]) => value!)
  }

  #scheduled(): Chunk<K, V> {
    const chunk: Omit<Chunk<K, V>, 'answered'> = { keys: [], texts: [] }
    const answered = this.#options.scheduler.send(() => {
      if (this.#open === scheduled) this.#open = undefined
      return this.#read(chunk)
    }).then((values) => {
      if (this.#batches) chunk.texts.forEach((text, at) => this.#known.set(text!, values[at]!))
      this.#forget(chunk)
      return values
    }, (error) => {
      this.#forget(chunk)
      throw error
    })
    const scheduled = { ...chunk, answered }
    return scheduled
  }

  #forget({ texts }: Pick<Chunk<K, V>, 'texts'>): void {
    texts.forEach((text) => this.#pending.delete(text!))
  }

  #read({ keys, texts }: Pick<Chunk<K, V>, 'keys' | 'texts'>): MaybePromise<readonly V[]> {
    const { calls, scheduler: { wave }, read } = this.#options
    if (!calls) return read(keys)
    const fields = this.#askers ? [...new Set(texts.flatMap((text) => [...(this.#askers?.get(text!) ?? [])]))] : []
    return read(keys, (receipt) => calls.call(wave, receipt, fields))
  }
}
