// Every read that a request makes. Reads of the same kind are gathered by a DataLoader each, the
// loaders share one gate, and so all that is asked for at one level of the operation leaves as one
// wave: one round trip per container for documents, one per shape of query for pages and counts.
//
// The naive strategy uses the same code with loaders that neither gather nor remember.

import DataLoader from 'dataloader'
import { keyText, type Key } from '../keys/key.ts'
import { partitionFrom } from '../keys/partition.ts'
import type { DocumentType } from '../model/model.ts'
import { countCharge, queryCharge, readCharge } from '../store/charge.ts'
import type { Path, Query, Scalar, Selection } from '../store/query.ts'
import type { Meter, Store, StoredDocument } from '../store/store.ts'
import { Gate } from './gate.ts'
import type { Asker, Ledger } from './ledger.ts'
import { selectionOf } from './selection.ts'

export type Strategy = 'gathered' | 'naive'

/** Which documents of a query belong to one parent: those with this value at this path. */
export interface Belonging {
  readonly path: Path
  readonly value: Scalar
}

export class Reads {
  readonly ledger: Ledger | undefined
  readonly strategy: Strategy
  readonly #store: Store
  readonly #gate = new Gate()
  readonly #loaders = new Map<string, Loader<never, unknown>>()

  constructor(store: Store, strategy: Strategy, ledger?: Ledger) {
    this.#store = store
    this.strategy = strategy
    this.ledger = ledger
  }

  /** The document of that type and id, by a point read where the id says enough, by asking every partition where not. */
  document(type: DocumentType, id: string, asker: Asker, known?: object): Promise<StoredDocument | undefined> {
    const partition = partitionFrom(type, { ...known, id })
    return partition ? this.at(type.container, { partition, id }, asker) : this.#anywhere(type, id, asker)
  }

  /** The document behind a key. */
  async at(container: string, key: Key, asker: Asker): Promise<StoredDocument | undefined> {
    const loader = this.#loader(`read ${container}`, keyText, (keys: readonly Key[], meter) =>
      this.#store.readMany(container, keys, meter))
    const document = await loader.load(key, asker)
    this.ledger?.ask(asker, readCharge(document?.bytes))
    return document
  }

  /** One page of a list of documents, of one parent's if it says whose. */
  async page(query: Query, whose: Belonging | undefined, asker: Asker): Promise<readonly StoredDocument[]> {
    const loader = whose
      ? this.#loader(`page ${JSON.stringify([query, whose.path])}`, valueText, async (values: readonly Scalar[], meter) =>
          values.length === 1
            ? [await this.#store.query(narrowed(query, whose.path, values[0]!), meter)]
            : this.#store.queryEach(query, whose.path, values, meter))
      : this.#loader(`page ${JSON.stringify(query)}`, valueText, async (_: readonly Scalar[], meter) => [await this.#store.query(query, meter)])
    const page = await loader.load(whose?.value ?? '', asker)
    this.ledger?.ask(asker, queryCharge(page.map(({ bytes }) => bytes)))
    return page
  }

  /** How long a list of documents is, or one parent's part of it. */
  async count(selection: Selection, whose: Belonging | undefined, asker: Asker): Promise<number> {
    const loader = whose
      ? this.#loader(`count ${JSON.stringify([selection, whose.path])}`, valueText, async (values: readonly Scalar[], meter) =>
          values.length === 1
            ? [await this.#store.count(narrowed(selection, whose.path, values[0]!), meter)]
            : this.#store.countEach(selection, whose.path, values, meter))
      : this.#loader(`count ${JSON.stringify(selection)}`, valueText, async (_: readonly Scalar[], meter) => [await this.#store.count(selection, meter)])
    const count = await loader.load(whose?.value ?? '', asker)
    this.ledger?.askCount(asker, countCharge())
    return count
  }

  /** Where the partition is not known: one query for all the ids, over every partition. */
  async #anywhere(type: DocumentType, id: string, asker: Asker): Promise<StoredDocument | undefined> {
    const loader = this.#loader(`find ${type.name}`, String, async (ids: readonly string[], meter) => {
      const found = await this.#store.query({
        ...selectionOf(type),
        where: { op: 'in', path: ['id'], values: ids },
        orderBy: { path: ['id'], descending: false },
        limit: ids.length,
      }, meter)
      const byId = new Map(found.map((document) => [document.key.id, document]))
      return ids.map((wanted) => byId.get(wanted))
    })
    const document = await loader.load(id, asker)
    this.ledger?.ask(asker, queryCharge(document ? [document.bytes] : []))
    return document
  }

  #loader<K, V>(name: string, text: (key: K) => string, read: (keys: readonly K[], meter?: Meter) => Promise<readonly V[]>) {
    const known = this.#loaders.get(name) as Loader<K, V> | undefined
    if (known) return known
    const loader = new Loader(this.#gate, this.strategy, this.ledger, this.#store.supports.keysPerRequest, text, read)
    this.#loaders.set(name, loader)
    return loader
  }
}

/** A DataLoader that leaves through the gate and remembers, for the ledger, whom each key is for. */
class Loader<K, V> {
  readonly #loader: DataLoader<K, V, string>
  readonly #askers: Map<string, Set<string>> | undefined
  readonly #text: (key: K) => string

  constructor(
    gate: Gate, strategy: Strategy, ledger: Ledger | undefined, keysPerRequest: number,
    text: (key: K) => string, read: (keys: readonly K[], meter?: Meter) => Promise<readonly V[]>,
  ) {
    const gathered = strategy === 'gathered'
    this.#text = text
    this.#askers = ledger && new Map()
    this.#loader = new DataLoader<K, V, string>((keys) => {
      if (!ledger) return gate.hold(read(keys))
      const fields = [...new Set(keys.flatMap((key) => [...(this.#askers?.get(text(key)) ?? [])]))]
      const { wave } = gate
      return gate.hold(read(keys, (receipt) => ledger.call(wave, receipt, fields)))
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

function valueText(value: Scalar): string {
  return JSON.stringify(value)
}

function narrowed<S extends Selection>(selection: S, path: Path, value: Scalar): S {
  const whose = { op: 'eq', path, value } as const
  return { ...selection, where: selection.where ? { op: 'and', conditions: [whose, selection.where] } : whose }
}
