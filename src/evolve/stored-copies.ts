// Which copies, lists and counts a store really has. A schema can declare more of them than were declared when the documents
// were written: a field that `@snapshot(fields:)` has since been given is in no copy yet, and a new count has never been
// counted. What is not there cannot answer. So the store remembers what has been declared since its first document, and
// whatever is newer than that is looked up until `quire check --repair` has worked it out everywhere and says so here.

import type { Declaration } from '../relations/declaration.ts'
import { allFields, type Field } from '../model/model.ts'
import { ownContainer, ownKey, ownPut } from '../store/own-container.ts'
import type { Relation } from '../relations/kind.ts'
import { ConflictError, type Store, type StoredDocument } from '../store/store.ts'

/** By `Type.field`: the names of what is copied, and `itself` for what is kept as a whole. */
type Copies = Readonly<Record<string, readonly string[]>>

const key = ownKey('copies')
const itself = 'itself'

/** The declaration as far as the store bears it out, and a line for everything that it does not. */
export async function withStoredCopies(declaration: Declaration, store: Store): Promise<{ readonly declaration: Declaration; readonly missing: readonly string[] }> {
  // What does not outlive the process was written under this schema, or has been worked out anew for it.
  if (!store.supports.durable) return { declaration, missing: [] }
  const declared = copiesIn(declaration)
  const [found] = await store.readMany(ownContainer, [key])
  const stored = found ? (found.body['relations'] as unknown as Copies) : declared
  await keep(store, intersection(stored, declared), found)
  const missing = difference(declared, stored)
  const lacking = new Map(relationsIn(declaration).flatMap(([field, relation]) => (missing[field.coordinate] ? [[field.coordinate, without(relation, missing[field.coordinate]!)]] : [])))
  return {
    declaration: lacking.size === 0 ? declaration : { ...declaration, prepared: (field) => lacking.get(field.coordinate) ?? declaration.prepared(field) },
    missing: Object.entries(missing).map(([coordinate, names]) => `${coordinate} ${names.includes(itself) ? 'is' : `copies ${names.join(' and ')}, which is`} newer than what is stored, and looked up until "quire check --repair" has been run and the gateway started again.`),
  }
}

/** Everything that is declared has been worked out in every document. */
export async function confirmCopies(declaration: Declaration, store: Store): Promise<void> {
  const [found] = await store.readMany(ownContainer, [key])
  await keep(store, copiesIn(declaration), found)
}

function copiesIn(declaration: Declaration): Copies {
  return Object.fromEntries(relationsIn(declaration).map(([{ coordinate }, relation]) => [coordinate, keptNames(relation)]).filter(([, names]) => names!.length > 0))
}

function relationsIn({ model, prepared }: Declaration): [Field, Relation][] {
  return allFields(model).flatMap((field) => {
    const found = prepared(field)
    return 'value' in found ? [] : [[field, found]]
  })
}

/** A pointer has the id by itself. A count, or a list that follows from elsewhere, is kept as a whole. */
function keptNames({ copied, fresh }: Relation): string[] {
  if (!copied) return []
  if (copied.size === 0 || fresh) return [itself]
  return [...copied].filter((name) => name !== 'id' && name !== 'nodeId')
}

function without(relation: Relation, names: readonly string[]): Relation {
  // Where nothing is copied yet there may be not even an entry that has the id as copies have it.
  if (names.length === keptNames(relation).length) return { ...relation, notYet: 'it was declared after what is stored was written' }
  return { ...relation, copied: relation.copied!.difference(new Set(names)) }
}

function intersection(one: Copies, other: Copies): Copies {
  return Object.fromEntries(Object.entries(one).map(([name, copied]) => [name, copied.filter((each) => other[name]?.includes(each))]).filter(([, copied]) => copied!.length > 0))
}

function difference(one: Copies, other: Copies): Copies {
  return Object.fromEntries(Object.entries(one).map(([name, copied]) => [name, copied.filter((each) => !other[name]?.includes(each))]).filter(([, copied]) => copied!.length > 0))
}

/** Whoever comes second finds what the first one has kept, and it is about the same. */
async function keep(store: Store, relations: Copies, found: StoredDocument | undefined): Promise<void> {
  if (found && JSON.stringify(found.body['relations']) === JSON.stringify(relations)) return
  try {
    await store.write([ownPut(key, { relations }, found ? { ifMatch: found.etag } : 'if-absent')])
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
  }
}
