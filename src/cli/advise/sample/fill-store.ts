// Fills a store with a sample, as one schema stores it: the pointers of each document become references or snapshots.
// `quire check`'s repair then corrects lists and counts, which cannot be right in a part of a store.

import { checkStore } from '../../../evolve/check/check-store.ts'
import type { Declaration } from '../../../relations/declaration.ts'
import { allFields, type DocumentType } from '../../../model/model.ts'
import { pointersOf } from '../../../model/pointers.ts'
import { kindOf } from '../../../relations/kinds.ts'
import { idOf } from '../../../relations/pointers/walk-pointers.ts'
import { writeAll } from '../../../store/write-all.ts'
import type { Body, Json } from '../../../model/json/json.ts'
import type { Store, Write } from '../../../store/store.ts'
import type { Sample } from './sample.ts'

export async function fill(store: Store, declaration: Declaration, sample: Sample): Promise<void> {
  const bodies = new Map([...sample.documents].map(([name, all]) => [name, new Map(all.map(({ key, body }) => [key.id, body]))]))
  const documents = [...declaration.model.documents.values()].flatMap((type) => (sample.documents.get(type.name) ?? []).map(({ key, body }): Write => ({
    kind: 'put', container: type.container, key, body: pointed(type, body, declaration, bodies),
  })))
  await writeAll(store, [...documents, ...sample.parts.map((part): Write => ({ kind: 'put', ...part }))])
  // Nothing is lost: the sample is a copy, and what its documents point at may not be in it.
  const acceptLoss = allFields(declaration.model).map(({ coordinate }) => coordinate)
  for await (const _ of checkStore(declaration, store, { repair: true, acceptLoss }));
}

/** The document with its pointers as declared, without those whose target is not in the sample. */
function pointed(type: DocumentType, body: Body, { model, kindContext }: Declaration, bodies: ReadonlyMap<string, ReadonlyMap<string, Body>>): Body {
  const kept = pointersOf(model, type).filter(({ trail }) => trail.length === 1).map(({ field }) => {
    const { at } = field.storage
    const held = body[at]
    const targets = bodies.get(field.target)!
    const ids = (Array.isArray(held) ? (held as readonly Json[]) : held === undefined || held === null ? [] : [held]).map(idOf).filter((id) => targets.has(id))
    return [at, kindOf(field).point!(field, ids, (id) => targets.get(id)!, kindContext)] as const
  })
  return { ...body, ...Object.fromEntries(kept) }
}
