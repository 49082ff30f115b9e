// A self-contained sample of a store: some documents of each type, the documents they refer to, and their buckets.
// Advice takes sizes from it and replays on it.

import type { Declaration } from '../../../relations/declaration.ts'
import type { Key } from '../../../model/keys/key.ts'
import { selectionOf } from '../../../read/selection.ts'
import type { DocumentType } from '../../../model/model.ts'
import { pointersOf } from '../../../model/pointers.ts'
import { kindOf } from '../../../relations/kinds.ts'
import { idsAlong } from '../../../relations/pointers/walk-pointers.ts'
import type { Body } from '../../../model/json/json.ts'
import type { Store } from '../../../store/store.ts'
import { Changeset } from '../../../write/changeset.ts'

export interface Sample {
  /** By type name. */
  readonly documents: ReadonlyMap<string, readonly Sampled[]>
  /** Stored parts of documents, such as buckets. */
  readonly parts: readonly { readonly container: string; readonly key: Key; readonly body: Body }[]
  /** How many documents of each type the store has. */
  readonly counts: ReadonlyMap<string, number>
  readonly keysPerRequest: number
  /** The max size of a document. */
  readonly documentBytes: number
}

export interface Sampled {
  readonly key: Key
  readonly body: Body
}

/** Up to `max` documents of each type, and those they refer to. */
export async function sampleOf(store: Store, { model }: Declaration, max: number): Promise<Sample> {
  const types = [...model.documents.values()]
  const found = new Map(types.map((type) => [type.name, new Map<string, Sampled>()]))
  const counts = new Map<string, number>()
  for (const type of types) {
    counts.set(type.name, await store.count(selectionOf(type)))
    const page = await store.query({ ...selectionOf(type), orderBy: { path: ['id'], descending: false }, limit: max })
    for (const { key, body } of page) found.get(type.name)!.set(key.id, { key, body })
  }
  let added: readonly { type: DocumentType; sampled: Sampled }[] = types.flatMap((type) => [...found.get(type.name)!.values()].map((sampled) => ({ type, sampled })))
  while (added.length > 0) {
    const wanted = added.flatMap(({ type, sampled }) => pointersOf(model, type).flatMap(({ field, trail }) => {
      const target = model.documents.get(field.target)!
      return [...idsAlong(sampled.body, trail)].filter((id) => !found.get(target.name)!.has(id)).map((id) => ({ type: target, id }))
    }))
    const missing = [...new Map(wanted.map((one) => [`${one.type.name} ${one.id}`, one])).values()]
    const read = await new Changeset(store).read(missing)
    added = missing.flatMap(({ type }, index) => {
      const entry = read[index]
      return entry?.after ? [{ type, sampled: { key: entry.key, body: entry.after } }] : []
    })
    for (const { type, sampled } of added) found.get(type.name)!.set(sampled.key.id, sampled)
  }
  return {
    documents: new Map([...found].map(([name, documents]) => [name, [...documents.values()]])),
    parts: await partsOf(store, types.flatMap((type) => [...found.get(type.name)!.values()].flatMap(({ body }) => keysOfParts(type, body, model)))),
    counts,
    keysPerRequest: store.supports.keysPerRequest,
    documentBytes: store.supports.documentBytes,
  }
}

function keysOfParts(type: DocumentType, body: Body, model: Declaration['model']): { container: string; key: Key }[] {
  return [...type.fields.values()].flatMap((field) => kindOf(field).parts?.(field, body, model) ?? []).map((key) => ({ container: type.container, key }))
}

async function partsOf(store: Store, wanted: readonly { container: string; key: Key }[]): Promise<Sample['parts']> {
  const parts: { container: string; key: Key; body: Body }[] = []
  for (const [container, all] of Map.groupBy(wanted, (one) => one.container)) {
    for (let at = 0; at < all.length; at += store.supports.keysPerRequest) {
      const keys = all.slice(at, at + store.supports.keysPerRequest).map(({ key }) => key)
      for (const document of await store.readMany(container, keys)) if (document) parts.push({ container, key: document.key, body: document.body })
    }
  }
  return parts
}
