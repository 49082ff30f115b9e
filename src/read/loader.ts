// One kind of read of one request. Resolvers ask for one key at a time and get a promise for each, by
// DataLoader. Plans ask for all keys of a level and get one promise for all of them. Both join the same
// chunks, which leave through the gate. What is read and from where, whoever makes the loader says.

import DataLoader from 'dataloader'
import { currentOperation } from '../store/operation-context.ts'
import type { Meter } from '../store/store.ts'
import type { Calls } from './call-log.ts'
import type { WaveScheduler } from './wave-scheduler.ts'
import type { Asker, ReadLog } from './read-log.ts'

/** `naive` neither gathers nor remembers: one round trip for each time something is asked for. */
export type Strategy = 'gathered' | 'naive'

export interface LoaderOptions<K, V> {
  readonly gate: WaveScheduler
  readonly strategy: Strategy
  readonly readLog: ReadLog | undefined
  /** Where round trips are written down, if anyone looks at them. */
  readonly calls: Calls | undefined
  readonly keysPerRequest: number
  /** Equal keys have equal texts. */
  readonly text: (key: K) => string
  /** One round trip: the values of these keys, in their order. */
  readonly read: (keys: readonly K[], meter?: Meter) => Promise<readonly V[]>
}

/** Keys that leave together, as one round trip. */
interface Chunk<K, V> {
  readonly keys: K[]
  /** Of the keys whose values are to be remembered. */
  readonly texts: (string | undefined)[]
  readonly answered: PromiseWithResolvers<readonly V[]>
}

export class Loader<K, V> {
  readonly #options: LoaderOptions<K, V>
  readonly #gathers: boolean
  /** Made for the first who asks for one key: plans ask for many, and need none. */
  #oneByOne: DataLoader<K, V, string> | undefined
  readonly #askers: Map<string, Set<string>> | undefined
  readonly #known = new Map<string, V>()
  /** By the text of a key that is waiting or under way. */
  readonly #pending = new Map<string, Chunk<K, V>>()
  /** The chunk that has not left and still has room. */
  #open: Chunk<K, V> | undefined

  constructor(options: LoaderOptions<K, V>) {
    this.#options = options
    this.#gathers = options.strategy === 'gathered'
    this.#askers = options.readLog && new Map()
  }

  /** The value of one key. */
  load(key: K, asker: Asker): Promise<V> {
    if (this.#askers) {
      const text = this.#options.text(key)
      const fields = this.#askers.get(text)
      if (fields) fields.add(asker.field)
      else this.#askers.set(text, new Set([asker.field]))
    }
    this.#oneByOne ??= this.#dataLoader()
    return this.#oneByOne.load(key)
  }

  /** The values of these keys, in their order. */
  async all(keys: readonly K[]): Promise<readonly V[]> {
    if (!this.#gathers) return Promise.all(keys.map((key) => this.#alone(key)))
    const texts = keys.map(this.#options.text)
    const chunks = new Set<Chunk<K, V>>()
    for (let at = 0; at < texts.length; at++) {
      const text = texts[at]!
      if (!this.#known.has(text)) chunks.add(this.#pending.get(text) ?? this.#join(keys[at]!, text))
    }
    if (chunks.size > 0) await Promise.all([...chunks].map(({ answered }) => answered.promise))
    return texts.map((text) => this.#known.get(text) as V)
  }

  /**
   * The same for keys that have not been asked for in this request, which the caller knows: where nothing
   * else has been either, they need not be told apart, and no text is made of them.
   */
  async fresh(keys: readonly K[]): Promise<readonly V[]> {
    const { keysPerRequest } = this.#options
    if (!this.#gathers || this.#askers || this.#known.size > 0 || this.#pending.size > 0 || keys.length > keysPerRequest) return this.all(keys)
    if (this.#open && this.#open.keys.length + keys.length > keysPerRequest) this.#open = undefined
    const chunk = (this.#open ??= this.#leaving())
    const from = chunk.keys.length
    for (const key of keys) chunk.keys.push(key)
    const values = await chunk.answered.promise
    return values.length === keys.length ? values : values.slice(from, from + keys.length)
  }

  #dataLoader(): DataLoader<K, V, string> {
    const { text, keysPerRequest } = this.#options
    return new DataLoader<K, V, string>((keys) => this.all(keys), {
      // Before the gate opens, which waits until there are no microtasks left.
      batchScheduleFn: queueMicrotask,
      cacheKeyFn: text,
      cache: this.#gathers,
      maxBatchSize: this.#gathers ? keysPerRequest : 1,
    })
  }

  #join(key: K, text: string): Chunk<K, V> {
    const chunk = (this.#open ??= this.#leaving())
    chunk.texts[chunk.keys.length] = text
    chunk.keys.push(key)
    this.#pending.set(text, chunk)
    if (chunk.keys.length >= this.#options.keysPerRequest) this.#open = undefined
    return chunk
  }

  async #alone(key: K): Promise<V> {
    const chunk = this.#leaving()
    chunk.keys.push(key)
    chunk.texts.push(this.#options.text(key))
    return (await chunk.answered.promise)[0]!
  }

  #leaving(): Chunk<K, V> {
    const chunk: Chunk<K, V> = { keys: [], texts: [], answered: Promise.withResolvers() }
    this.#options.gate.enter(() => void this.#send(chunk))
    return chunk
  }

  async #send(chunk: Chunk<K, V>): Promise<void> {
    if (this.#open === chunk) this.#open = undefined
    const { keys, texts, answered } = chunk
    try {
      // Between waves: what nobody waits for any more is not read.
      currentOperation()?.check()
      const values = await this.#options.gate.hold(this.#read(keys, texts))
      if (this.#gathers) texts.forEach((text, at) => this.#known.set(text!, values[at]!))
      answered.resolve(values)
    } catch (error) {
      answered.reject(error)
    } finally {
      texts.forEach((text) => this.#pending.delete(text!))
    }
  }

  #read(keys: readonly K[], texts: readonly (string | undefined)[]): Promise<readonly V[]> {
    const { calls, gate: { wave }, read } = this.#options
    if (!calls) return read(keys)
    const fields = this.#askers ? [...new Set(texts.flatMap((text) => [...(this.#askers?.get(text!) ?? [])]))] : []
    return read(keys, (receipt) => calls.call(wave, receipt, fields))
  }
}
