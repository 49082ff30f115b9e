// Every read that a request makes. Reads of the same kind are gathered by a DataLoader each, the
// loaders share one gate, and so all that is asked for at one level of the operation leaves as one
// wave: one round trip per container for documents, one per shape of query for pages and counts.
// Whoever asks for one thing at a time, and of a store that has it in hand, need not wait for a wave.
//
// The naive strategy uses the same code with loaders that neither gather nor remember.
//
// Where a viewer may see only what is their own, the store is asked for nothing else: what belongs to others
// is not found, whichever way it is looked for, and costs what a document costs that does not exist.

import type { Access } from '../auth/access.ts'
import { keyText, samePartition, type Key } from '../model/keys/key.ts'
import { keyById, partitionFrom } from '../model/keys/partition.ts'
import type { DocumentType } from '../model/model.ts'
import { synchronousReadsOf, type SynchronousReads, type SynchronousMethod } from '../store/synchronous-reads.ts'
import { whenReady, type MaybePromise } from '../store/maybe-promise.ts'
import type { Path, Query, Scalar, Selection } from '../store/query.ts'
import type { Meter, Store, StoredDocument } from '../store/store.ts'
import { askAtOnce } from './read-synchronously.ts'
import type { Calls } from './call-log.ts'
import { WaveScheduler } from './wave-scheduler.ts'
import { Loader, type Strategy } from './loader.ts'
import type { Asker, ReadLog } from './read-log.ts'
import { countAlone, queryAlone, readAlone } from './naive.ts'
import { Restriction } from './restriction.ts'
import { isOfType, ofType, selectionOf } from './selection.ts'
import { LevelLoader } from './level-loader.ts'

/** Which documents of a query belong to one parent: those with this value at this path. */
export interface Belonging {
  readonly path: Path
  readonly value: Scalar
}

export class Reads {
  readonly readLog: ReadLog | undefined
  readonly strategy: Strategy
  /** Those that something was asked of. */
  readonly containers = new Set<string>()
  /**
   * Whether whoever asks asks for one thing at a time, and for the next when that is answered. Then there is nothing
   * to gather and no wave to wait for, and a store that has what is asked for in hand is asked at once.
   */
  oneAtATime = false
  /** What may be read; without it, everything. */
  readonly access: Access | undefined
  readonly #store: Store
  readonly #calls: Calls | undefined
  readonly #restriction: Restriction | undefined
  readonly #gate = new WaveScheduler()
  readonly #loaders = new Map<string, unknown>()
  readonly #shelves = new Map<DocumentType, LevelLoader>()

  /** A request that keeps an account has a readLog; one that is only looked at has calls. Without access, everything may be read. */
  constructor(store: Store, strategy: Strategy, readLog?: ReadLog, calls: Calls | undefined = readLog, access?: Access) {
    this.#store = store
    this.access = access
    this.#restriction = access && new Restriction(access)
    this.strategy = strategy
    this.readLog = readLog
    this.#calls = calls
  }

  /** Whether anything that has been read is this viewer's own, and not everyone's. */
  get areOwn(): boolean {
    return this.#restriction?.used ?? false
  }

  /** Counts the calls of a write, which go one after the other, the same in every strategy. */
  meterFor(asker: Asker): Meter | undefined {
    const [readLog, calls] = [this.readLog, this.#calls]
    if (!calls) return undefined
    readLog?.nextInSeries()
    let { stage } = asker
    let wave: { readonly gate: number; readonly endMs: number } | undefined
    return (receipt) => {
      // Requests that left before the first of their wave had come back were under way together.
      const together = wave !== undefined && receipt.startMs < wave.endMs
      if (!together) wave = { gate: this.#gate.pass(), endMs: receipt.startMs + receipt.durationMs }
      calls.call(wave!.gate, { ...receipt, wave: 0 }, [asker.field])
      readLog?.ask({ ...asker, stage: together ? stage - 1 : stage++ }, { roundTrips: 1, charge: receipt.requestCharge })
    }
  }

  /** A count of this selection was not asked for: the number was there already. */
  spareCount(selection: Selection, asker: Asker): void {
    this.readLog?.spareCount(asker, countAlone(this.#store, selection))
  }

  /** Forgets what has been read: what is asked for from now on sees what has been written. */
  forget(): void {
    this.#loaders.clear()
    this.#shelves.clear()
  }

  /** Where documents of a type are gathered for all rows of a level, with one promise for all of them. */
  shelf(type: DocumentType): LevelLoader {
    let shelf = this.#shelves.get(type)
    if (!shelf) this.#shelves.set(type, (shelf = new LevelLoader((ids) => this.#documents(type, ids))))
    return shelf
  }

  /** How to look for documents of a type by their ids, one after the other and without waiting; undefined where they have to be asked for. */
  lookFor(type: DocumentType): ((id: string) => StoredDocument | undefined) | undefined {
    const keyOf = keyById(type)
    if (!keyOf || this.#calls || this.strategy === 'naive' || !this.#isFree(type)) return undefined
    const look = synchronousReadsOf(this.#store, 'readMany')?.lookIn(type.container)
    if (!look) return undefined
    this.containers.add(type.container)
    if (type.discriminator === undefined) return (id) => look(keyOf(id))
    return (id) => {
      const document = look(keyOf(id))
      return isOfType(type, document?.body) ? document : undefined
    }
  }

  #documents(type: DocumentType, ids: readonly string[]): MaybePromise<readonly (StoredDocument | undefined)[]> {
    const keyOf = keyById(type)
    const inHand = keyOf && this.#isFree(type) ? this.#inHand(type.container, 'readMany') : undefined
    if (!inHand) return this.#documentsInWave(type, ids)
    return whenReady(askAtOnce(() => inHand.readMany(type.container, ids.map(keyOf!))), (documents) => ofType(type, documents))
  }

  async #documentsInWave(type: DocumentType, ids: readonly string[]): Promise<readonly (StoredDocument | undefined)[]> {
    const keyOf = keyById(type)
    if (!keyOf || this.#restriction?.on(type)) return this.#byId(type).all(ids)
    return ofType(type, await this.#byKey(type.container).fresh(ids.map(keyOf)))
  }

  /** The document of that type and id, by a point read where the id says enough, by asking every partition where not. */
  document(type: DocumentType, id: string, asker: Asker, known?: object): MaybePromise<StoredDocument | undefined> {
    const inHand = this.#isFree(type) && !this.#shelves.get(type)?.has(id) ? this.#inHand(type.container, 'readMany') : undefined
    const partition = inHand && partitionFrom(type, { ...known, id })
    if (!partition) return this.#documentInWave(type, id, asker, known)
    return whenReady(askAtOnce(() => inHand.readMany(type.container, [{ partition, id }])), ([document]) => {
      const found = isOfType(type, document?.body) ? document : undefined
      if (keyById(type)) this.shelf(type).put(id, found)
      return found
    })
  }

  async #documentInWave(type: DocumentType, id: string, asker: Asker, known?: object): Promise<StoredDocument | undefined> {
    const shelf = this.#shelves.get(type)
    if (shelf?.has(id)) return shelf.get(id)
    const partition = partitionFrom(type, { ...known, id })
    if (this.#restriction?.on(type)) return this.#own(type, id, partition, asker)
    return partition ? this.located(type, { partition, id }, asker) : this.#anywhere(type, id, asker)
  }

  /** The document behind a key, if it is of that type: in a shared container another one may be there. */
  async located(type: DocumentType, key: Key, asker: Asker): Promise<StoredDocument | undefined> {
    if (this.#restriction?.on(type)) return this.#own(type, key.id, key.partition, asker)
    const document = await this.at(type.container, key, asker)
    return isOfType(type, document?.body) ? document : undefined
  }

  /** The document behind a key that is not of any type: part of another one, which has been read. */
  async at(container: string, key: Key, asker: Asker): Promise<StoredDocument | undefined> {
    const document = await this.#byKey(container).load(key, asker)
    this.readLog?.ask(asker, readAlone(document?.bytes))
    return document
  }

  /** One page of a list of documents, of one parent's if it says whose. */
  page(wanted: Query, whose: Belonging | undefined, asker: Asker): MaybePromise<readonly StoredDocument[]> {
    const inHand = this.#inHand(wanted.container, 'query')
    return inHand ? askAtOnce(() => inHand.query(alone(this.#seen(wanted), whose))) : this.#pageInWave(wanted, whose, asker)
  }

  async #pageInWave(wanted: Query, whose: Belonging | undefined, asker: Asker): Promise<readonly StoredDocument[]> {
    const query = this.#seen(wanted)
    const loader = this.#perParent('page', query, whose,
      (one, meter) => this.#store.query(one, meter),
      (path, values, meter) => this.#store.queryEach(query, path, values, meter))
    const page = await loader.load(whose?.value ?? '', asker)
    this.readLog?.ask(asker, queryAlone(this.#store, alone(query, whose), page))
    return page
  }

  /** How long a list of documents is, or one parent's part of it. */
  count(wanted: Selection, whose: Belonging | undefined, asker: Asker): MaybePromise<number> {
    const inHand = this.#inHand(wanted.container, 'count')
    return inHand ? askAtOnce(() => inHand.count(alone(this.#seen(wanted), whose))) : this.#countInWave(wanted, whose, asker)
  }

  async #countInWave(wanted: Selection, whose: Belonging | undefined, asker: Asker): Promise<number> {
    const selection = this.#seen(wanted)
    const loader = this.#perParent('count', selection, whose,
      (one, meter) => this.#store.count(one, meter),
      (path, values, meter) => this.#store.countEach(selection, path, values, meter))
    const count = await loader.load(whose?.value ?? '', asker)
    this.readLog?.askCount(asker, countAlone(this.#store, alone(selection, whose)))
    return count
  }

  /** How to read from a container without a wave, where that may be: nobody counts calls, and nothing has to be gathered. */
  #inHand(container: string, method: SynchronousMethod): SynchronousReads | undefined {
    if (!this.oneAtATime || this.#calls || this.strategy === 'naive') return undefined
    const inHand = synchronousReadsOf(this.#store, method)
    if (inHand) this.containers.add(container)
    return inHand
  }

  /** What of a selection there is for whoever asks. */
  #seen<S extends Selection>(selection: S): S {
    return this.#restriction ? this.#restriction.of(selection) : selection
  }

  /** Whether a type is all there for whoever asks. What is not, the long way finds out and says. */
  #isFree(type: DocumentType): boolean {
    return !this.access || this.access.reading(type) === 'free'
  }

  /** One that there is only for its owner: what the store is asked for says whose it has to be. */
  async #own(type: DocumentType, id: string, partition: Key['partition'] | undefined, asker: Asker): Promise<StoredDocument | undefined> {
    const document = await this.#anywhere(type, id, asker)
    return document && (!partition || samePartition(partition, document.key.partition)) ? document : undefined
  }

  /** Where the partition is not known: one query for all the ids, over every partition. */
  async #anywhere(type: DocumentType, id: string, asker: Asker): Promise<StoredDocument | undefined> {
    const document = await this.#byId(type).load(id, asker)
    this.readLog?.ask(asker, queryAlone(this.#store, this.#finding(type, [id]), document ? [document] : []))
    return document
  }

  #byKey(container: string) {
    return this.#loader(container, `read ${container}`, keyText, (keys: readonly Key[], meter) => this.#store.readMany(container, keys, meter))
  }

  #byId(type: DocumentType) {
    return this.#loader(type.container, `find ${type.name}`, String, async (ids: readonly string[], meter) => {
      const found = await this.#store.query(this.#finding(type, ids), meter)
      const byId = new Map(found.map((document) => [document.key.id, document]))
      return ids.map((wanted) => byId.get(wanted))
    })
  }

  #finding(type: DocumentType, ids: readonly string[]): Query {
    const query: Query = { ...selectionOf(type), where: { op: 'in', path: ['id'], values: ids }, orderBy: { path: ['id'], descending: false }, limit: ids.length }
    return this.#restriction ? this.#restriction.of(query, ids) : query
  }

  /** The same question for several parents is one round trip; for one parent, or for none, it is a plain query. */
  #perParent<S extends Selection, V>(
    name: string, selection: S, whose: Belonging | undefined,
    ask: (one: S, meter?: Meter) => Promise<V>, askEach: (path: Path, values: readonly Scalar[], meter?: Meter) => Promise<readonly V[]>,
  ) {
    const path = whose?.path
    return this.#loader(selection.container, `${name} ${JSON.stringify([selection, path])}`, String, async (values: readonly Scalar[], meter) => {
      if (path && values.length > 1) return askEach(path, values, meter)
      return [await ask(alone(selection, path && { path, value: values[0]! }), meter)]
    })
  }

  #loader<K, V>(container: string, name: string, text: (key: K) => string, read: (keys: readonly K[], meter?: Meter) => Promise<readonly V[]>) {
    const known = this.#loaders.get(name) as Loader<K, V> | undefined
    if (known) return known
    const loader = new Loader({ gate: this.#gate, strategy: this.strategy, readLog: this.readLog, calls: this.#calls, keysPerRequest: this.#store.supports.keysPerRequest, text, read })
    this.#loaders.set(name, loader)
    this.containers.add(container)
    return loader
  }
}

/** What is asked for one parent. */
function alone<S extends Selection>(selection: S, belonging: Belonging | undefined): S {
  if (!belonging) return selection
  const whose = { op: 'eq', ...belonging } as const
  return { ...selection, where: selection.where ? { op: 'and', conditions: [whose, selection.where] } : whose }
}
