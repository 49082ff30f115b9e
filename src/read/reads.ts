// Every read of a request. Each kind of read has a loader that batches it, and the loaders share one wave scheduler,
// so all reads of one level of the operation are sent as one wave: one round trip per container for documents,
// one per shape of query for pages and counts. GraphQL.js asks field by field, and gets promises; a compiled plan asks
// level by level, and gets what a store in this process answers at once without one.
//
// The naive strategy uses the same code with loaders that neither batch nor cache.
//
// Where a viewer may see only their own documents, the store is asked only for those. A document of another
// owner is not found by any kind of read, and costs as much as one that does not exist.

import type { Access } from '../auth/access.ts'
import { keyText, samePartition, type Key } from '../model/keys/key.ts'
import { keyById, partitionFrom } from '../model/keys/partition.ts'
import type { DocumentType } from '../model/model.ts'
import { allRead, Pending, whenRead, whenReady, type MaybePending, type MaybePromise } from '../store/maybe-promise.ts'
import type { Aggregated, Aggregation } from '../store/aggregate/aggregation.ts'
import type { Path, Query, Scalar, Selection } from '../store/query.ts'
import type { Meter, Receipt, Store, StoredDocument } from '../store/store.ts'
import type { CallLog } from './call-log.ts'
import { WaveScheduler } from './wave-scheduler.ts'
import { Loader, type Strategy } from './loader.ts'
import { aggregateName, byIdName, byKeyName, countName, pageName } from './loader-names.ts'
import type { Asker, NaiveCost, ReadLog } from './read-log.ts'
import { naiveAggregateCost, naiveCountCost, naiveQueryCost, naiveReadCost } from './naive-cost.ts'
import { lookupOf, Lookups, type LookupById, type LookupTarget } from './in-process-lookups.ts'
import { OwnerFilter } from './owner-filter.ts'
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
  /** Whether a compiled plan asks. Its answers are pending until the scheduler runs it; those for GraphQL.js are promises. */
  byLevel = false
  /** What the viewer may read; without it, everything. */
  readonly access: Access | undefined
  readonly #store: Store
  readonly #calls: CallLog | undefined
  /** The measured charges of pages and groups that were read by themselves; only for a cost report. */
  readonly #chargeOf: WeakMap<object, number> | undefined
  readonly #ownerFilter: OwnerFilter | undefined
  readonly #scheduler = new WaveScheduler()
  #firstPage: { readonly query: Query; readonly page: MaybePending<readonly StoredDocument[]> } | undefined
  // Made when they are needed: most plans on a store in this process need neither.
  #loaders: Map<string, unknown> | undefined
  #levelLoaders: Map<DocumentType, LevelLoader> | undefined
  #ofNodes: Map<object, unknown> | undefined

  /** A request with a cost report has a read log; one that is only observed has a call log. Without access, everything may be read. */
  constructor(store: Store, strategy: Strategy, readLog?: ReadLog, calls: CallLog | undefined = readLog, access?: Access) {
    this.#store = store
    this.access = access
    this.#ownerFilter = access?.guardsDocuments ? new OwnerFilter(access) : undefined
    this.strategy = strategy
    this.readLog = readLog
    this.#calls = calls
    this.#chargeOf = readLog && store.supports.charges === 'measured' ? new WeakMap() : undefined
  }

  /** Runs a compiled plan, and sends the waves of its reads. */
  run<T>(plan: () => MaybePending<T>): MaybePromise<T> {
    this.byLevel = true
    return this.#scheduler.run(plan)
  }

  /** Sends no wave before some work has ended, which may ask for more. */
  hold(work: Promise<void>): void {
    this.#scheduler.hold(work)
  }

  /** What the store was at this moment; undefined if it cannot tell. */
  moment(): number | undefined {
    return this.#store.moment()
  }

  /** Runs work that reads as of the moment that was just asked for. */
  asOfMoment<Result>(work: () => Result): Result {
    return this.#store.asOfMoment ? this.#store.asOfMoment(work) : work()
  }

  /** How often an answer had to be waited for. */
  get waits(): number {
    return this.#scheduler.waits
  }

  /** Lookups of documents by id, as they are until the next wait; undefined unless the store has all of these documents in this process. */
  lookups(targets: readonly LookupTarget[]): LookupById[] | undefined {
    if (this.strategy === 'naive') return undefined
    const lookups: LookupById[] = []
    for (const { type } of targets) {
      const lookup = this.#isFree(type) ? lookupOf(this.#store, type) : undefined
      if (!lookup) return undefined
      lookups.push(lookup)
    }
    return lookups
  }

  /** Where a run counts its lookups; undefined if nothing observes them. */
  observedLookups(targets: readonly LookupTarget[]): Lookups | undefined {
    return this.#calls && new Lookups(targets)
  }

  /** Logs what was looked up. A run sends its other calls wave by wave, so the wave of a call is its depth. */
  logLookups(lookups: Lookups): void {
    lookups.report((depth, receipt) => this.#calls?.call(depth, receipt, noFields))
  }

  /** Logs the calls of a write, which run one after the other, the same in every strategy. */
  meterFor(asker: Asker): Meter | undefined {
    const [readLog, calls] = [this.readLog, this.#calls]
    if (!calls) return undefined
    readLog?.nextInSeries()
    let { stage } = asker
    let wave: { readonly number: number; readonly endMs: number } | undefined
    return (receipt) => {
      // Requests that were sent before the first of their wave was answered were under way together.
      const together = wave !== undefined && receipt.startMs < wave.endMs
      if (!together) wave = { number: this.#scheduler.countWave(), endMs: receipt.startMs + receipt.durationMs }
      calls.call(wave!.number, { ...receipt, wave: 0 }, [asker.field])
      readLog?.ask({ ...asker, stage: together ? stage - 1 : stage++ }, { roundTrips: 1, charge: receipt.requestCharge })
    }
  }

  /** Logs that the count of this selection was not needed, because the number is stored. */
  spareCount(selection: Selection, asker: Asker): void {
    this.readLog?.spareCount(asker, naiveCountCost(this.#store, selection))
  }

  /** What is the same for all rows of a plan node, made when it is first needed. */
  once<T>(node: object, make: () => T): T {
    const known = (this.#ofNodes ??= new Map<object, unknown>())
    if (!known.has(node)) known.set(node, make())
    return known.get(node) as T
  }

  /** Forgets everything that was read, so that later reads see what was written. */
  forget(): void {
    this.#loaders = undefined
    this.#firstPage = undefined
    this.#levelLoaders = undefined
    this.#ofNodes = undefined
  }

  /** Loads documents of a type for all rows of a level, with one promise for all of them. */
  levelLoader(type: DocumentType): LevelLoader {
    const loaders = (this.#levelLoaders ??= new Map<DocumentType, LevelLoader>())
    let loader = loaders.get(type)
    if (!loader) loaders.set(type, (loader = new LevelLoader((ids) => this.#documents(type, ids))))
    return loader
  }

  #documents(type: DocumentType, ids: readonly string[]): MaybePending<readonly (StoredDocument | undefined)[]> {
    const keyOf = keyById(type)
    if (!keyOf || this.#ownerFilter?.appliesTo(type)) return this.#byId(type).all(ids)
    return whenRead(this.#byKey(type.container).fresh(ids.map(keyOf)), (documents) => ofType(type, documents))
  }

  /** The document of that type and id: by a point read where the partition is known, by a query over all partitions otherwise. */
  document(type: DocumentType, id: string, asker: Asker, known?: object): MaybePending<StoredDocument | undefined> {
    const loader = this.#levelLoaders?.get(type)
    if (loader?.has(id)) return loader.get(id)
    const partition = partitionFrom(type, { ...known, id })
    if (this.#ownerFilter?.appliesTo(type)) return this.#own(type, id, partition, asker)
    return partition ? this.located(type, { partition, id }, asker) : this.#inAnyPartition(type, id, asker)
  }

  /** The documents of that type with these ids, in their order: with one promise for all of them where each is a point read. */
  documents(type: DocumentType, ids: readonly string[], asker: Asker): MaybePending<readonly (StoredDocument | undefined)[]> {
    const keyOf = keyById(type)
    if (!keyOf || this.byLevel || this.#levelLoaders || this.strategy === 'naive' || this.#ownerFilter?.appliesTo(type)) {
      return allRead(ids.length, (at) => this.document(type, ids[at]!, asker))
    }
    const { readLog } = this
    return whenRead(this.#byKey(type.container).loadAll(ids.map(keyOf), asker), (documents) => {
      if (readLog) for (const document of documents) readLog.ask(asker, naiveReadCost(document?.bytes))
      return ofType(type, documents)
    })
  }

  /** The document with a key, if it is of that type: in a shared container it may be of another. */
  located(type: DocumentType, key: Key, asker: Asker): MaybePending<StoredDocument | undefined> {
    if (this.#ownerFilter?.appliesTo(type)) return this.#own(type, key.id, key.partition, asker)
    return whenRead(this.at(type.container, key, asker), (document) => (isOfType(type, document?.body) ? document : undefined))
  }

  /** The document with a key that has no type of its own, because it is part of another one that was read. */
  at(container: string, key: Key, asker: Asker): MaybePending<StoredDocument | undefined> {
    return this.#load(this.#byKey(container), key, asker, (document) => naiveReadCost(document?.bytes))
  }

  /** One page of a list of documents; only one parent's, with `whose`. */
  page(wanted: Query, whose: Belonging | undefined, asker: Asker): MaybePending<readonly StoredDocument[]> {
    const query = this.#visible(wanted)
    if (!whose && this.byLevel && !this.#firstPage) return this.#readFirstPage(query, asker.alone ?? false)
    if (!whose && this.#firstPage && pageName(this.#firstPage.query, undefined) === pageName(query, undefined)) {
      const { page } = this.#firstPage
      return page instanceof Pending && !this.byLevel ? page.outcome() : page
    }
    const loader = this.#perParent(pageName, query, whose,
      (one, meter) => this.#alone(meter, (own) => this.#store.query(one, own)),
      (path, values, meter) => this.#store.queryEach(query, path, values, meter))
    return this.#load(loader, whose?.value ?? '', asker, (page) => naiveQueryCost(this.#store, ofParent(query, whose), page, this.#chargeOf?.get(page)))
  }

  /** What is read by itself, as the naive strategy reads it; its measured charge is noted. */
  #alone<T extends object>(meter: Meter | undefined, read: (meter: Meter | undefined) => MaybePromise<T>): MaybePromise<T> {
    const chargeOf = this.#chargeOf
    if (!meter || !chargeOf) return read(meter)
    let charge = 0
    const answer = read((receipt) => {
      charge += receipt.requestCharge
      meter(receipt)
    })
    return whenReady(answer, (found) => {
      chargeOf.set(found, charge)
      return found
    })
  }

  /** Most operations read one page at their root: it needs no loader, which would have to name it. If it is all they read there, it is sent at once. */
  #readFirstPage(query: Query, alone: boolean): MaybePending<readonly StoredDocument[]> {
    const meter = this.#calls && ((receipt: Receipt) => this.#calls!.call(this.#scheduler.wave, receipt, noFields))
    const call = (): MaybePromise<readonly StoredDocument[]> => this.#store.query(query, meter)
    const page = alone ? this.#scheduler.sendAlone(call) : this.#scheduler.send(call)
    this.#firstPage = { query, page }
    if (page instanceof Pending) page.then(undefined, () => (this.#firstPage = undefined))
    return page
  }

  /** The length of a list of documents, or of one parent's part of it. */
  count(wanted: Selection, whose: Belonging | undefined, asker: Asker): MaybePending<number> {
    const selection = this.#visible(wanted)
    const loader = this.#perParent(countName, selection, whose,
      (one, meter) => this.#store.count(one, meter),
      (path, values, meter) => this.#store.countEach(selection, path, values, meter))
    const count = this.#load(loader, whose?.value ?? '', asker)
    if (!this.readLog) return count
    return whenRead(count, (known) => {
      this.readLog?.askCount(asker, naiveCountCost(this.#store, ofParent(selection, whose)))
      return known
    })
  }

  /** The groups of a list of documents, or of one parent's part of it. */
  aggregate(wanted: Selection, aggregation: Aggregation, whose: Belonging | undefined, asker: Asker): MaybePending<Aggregated> {
    const selection = this.#visible(wanted)
    const loader = this.#perParent((one: Selection, path) => aggregateName(one, aggregation, path), selection, whose,
      (one, meter) => this.#alone(meter, (own) => this.#store.aggregate(one, aggregation, undefined, own)),
      (by, values, meter) => whenReady(this.#store.aggregate(selection, aggregation, { by, values }, meter), (answers) => answers.map((answer) => [answer])))
    return whenRead(this.#load(loader, whose?.value ?? '', asker), (answers) => {
      const [found] = answers as [Aggregated]
      this.readLog?.askCount(asker, naiveAggregateCost(this.#store, ofParent(selection, whose), found.length, this.#chargeOf?.get(answers)))
      return found
    })
  }

  /** One value of a loader, logged with what it would cost by itself. */
  #load<K, V>(loader: Loader<K, V>, key: K, asker: Asker, naiveCost?: (value: V) => NaiveCost): MaybePending<V> {
    if (this.byLevel) return whenRead(loader.all([key]), ([value]) => value as V)
    const loading = loader.load(key, asker)
    const { readLog } = this
    if (!readLog || !naiveCost) return loading
    return loading.then((value) => {
      readLog.ask(asker, naiveCost(value))
      return value
    })
  }

  /** The part of a selection that the viewer may see. */
  #visible<S extends Selection>(selection: S): S {
    return this.#ownerFilter ? this.#ownerFilter.restrict(selection) : selection
  }

  /** Whether the viewer may read all documents of a type. If not, a query finds out which, or throws. */
  #isFree(type: DocumentType): boolean {
    return !this.access || this.access.reading(type) === 'free'
  }

  /** A document that only its owner may see: the query asks for the owner, too. */
  #own(type: DocumentType, id: string, partition: Key['partition'] | undefined, asker: Asker): MaybePending<StoredDocument | undefined> {
    return whenRead(this.#inAnyPartition(type, id, asker), (document) => (document && (!partition || samePartition(partition, document.key.partition)) ? document : undefined))
  }

  /** Where the partition is not known: one query for all ids, over every partition. */
  #inAnyPartition(type: DocumentType, id: string, asker: Asker): MaybePending<StoredDocument | undefined> {
    return this.#load(this.#byId(type), id, asker, (document) => naiveQueryCost(this.#store, this.#finding(type, [id]), document ? [document] : []))
  }

  #byKey(container: string) {
    return this.#loader(byKeyName(container), keyText, (keys: readonly Key[], meter) => this.#store.readMany(container, keys, meter))
  }

  #byId(type: DocumentType) {
    return this.#loader(byIdName(type), String, (ids: readonly string[], meter) => whenReady(this.#store.query(this.#finding(type, ids), meter), (found) => {
      // Where several partitions have the id, the first document counts: the same one every time.
      const byId = new Map(found.toReversed().map((document) => [document.key.id, document]))
      return ids.map((wanted) => byId.get(wanted))
    }))
  }

  #finding(type: DocumentType, ids: readonly string[]): Query {
    const query: Query = { ...selectionOf(type), where: { op: 'in', path: ['id'], values: ids }, orderBy: { path: ['id'], descending: false }, limit: ids.length }
    return this.#ownerFilter ? this.#ownerFilter.restrict(query, ids) : query
  }

  /** The same query for several parents is one round trip; for one parent, or for none, it is a plain query. */
  #perParent<S extends Selection, V>(
    nameOf: (selection: S, path: Path | undefined) => string, selection: S, whose: Belonging | undefined,
    ask: (one: S, meter?: Meter) => MaybePromise<V>, askEach: (path: Path, values: readonly Scalar[], meter?: Meter) => MaybePromise<readonly V[]>,
  ) {
    const path = whose?.path
    return this.#loader(nameOf(selection, path), String, (values: readonly Scalar[], meter) => {
      if (path && values.length > 1) return askEach(path, values, meter)
      return whenReady(ask(ofParent(selection, path && { path, value: values[0]! }), meter), (one) => [one])
    })
  }

  #loader<K, V>(name: string, text: (key: K) => string, read: (keys: readonly K[], meter?: Meter) => MaybePromise<readonly V[]>) {
    const loaders = (this.#loaders ??= new Map<string, unknown>())
    const known = loaders.get(name) as Loader<K, V> | undefined
    if (known) return known
    const loader = new Loader({ scheduler: this.#scheduler, strategy: this.strategy, readLog: this.readLog, calls: this.#calls, keysPerRequest: this.#store.supports.keysPerRequest, text, read })
    loaders.set(name, loader)
    return loader
  }
}

/** Compiled code does not tell for which relations it reads: only cost reports name them. */
const noFields: readonly string[] = []

/** The selection of one parent's documents. */
function ofParent<S extends Selection>(selection: S, belonging: Belonging | undefined): S {
  if (!belonging) return selection
  const whose = { op: 'eq', ...belonging } as const
  return { ...selection, where: selection.where ? { op: 'and', conditions: [whose, selection.where] } : whose }
}
