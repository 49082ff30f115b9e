// Which snapshots, lists and counts a store really has. A schema can declare more of them than it did when the documents
// were written: a field that was added to `@snapshot(fields:)` since is in no snapshot yet, and a new count has no value.
// So the store remembers what has been declared since its first document. Newer fields are looked up, until
// they are computed in every document, which is confirmed here. A derived field whose function has changed is a newer one, too.

import { createHash } from 'node:crypto'
import type { Declaration } from '../relations/declaration.ts'
import { allFields, type Field } from '../model/model.ts'
import { ownContainer, ownKey, ownPut } from '../store/own-container.ts'
import type { Relation } from '../relations/kind.ts'
import { textOf } from '../relations/values/function-texts.ts'
import { ConflictError } from '../store/store-errors.ts'
import type { Store, StoredDocument } from '../store/store.ts'

/** By `Type.field`: the names of the copied fields, or `itself` for a list or count that is stored as a whole. A derived one has a hash of its function: `name#hash`. */
type StoredFields = Readonly<Record<string, readonly string[]>>

const key = ownKey('copies')
const itself = 'itself'

/** The declaration, limited to what the store has, and a line for everything that it has not. */
export async function withStoredSnapshots(declaration: Declaration, store: Store): Promise<{ readonly declaration: Declaration; readonly missing: readonly string[] }> {
  // A store that does not outlive the process was written under this schema, or was repaired for it.
  if (!store.supports.durable) return { declaration, missing: [] }
  const declared = fieldsIn(declaration)
  const [found] = await store.readMany(ownContainer, [key])
  const stored = found ? (found.body['relations'] as unknown as StoredFields) : declared
  await keep(store, intersection(declared, stored), found)
  const missing = difference(declared, stored)
  const limited = new Map(relationsIn(declaration).flatMap(([field, relation]) => (missing[field.coordinate] ? [[field.coordinate, without(relation, missing[field.coordinate]!.map(plain))]] : [])))
  return {
    declaration: limited.size === 0 ? declaration : { ...declaration, prepared: (field) => limited.get(field.coordinate) ?? declaration.prepared(field) },
    missing: Object.entries(missing).map(([coordinate, names]) => `${coordinate}${names.includes(itself) ? '' : `: ${names.map(plain).join(' and ')}`} is not stored yet and is looked up: it was declared${names.some((name) => name !== plain(name)) ? ', or its function was changed,' : ''} after the documents were written. "quire start" computes it meanwhile; "quire check --repair" does, too.`),
  }
}

/** Records that every document has everything that is declared. */
export async function confirmSnapshots(declaration: Declaration, store: Store): Promise<void> {
  const [found] = await store.readMany(ownContainer, [key])
  await keep(store, fieldsIn(declaration), found)
}

/** Records that documents do not have some of what is declared. Answers with those fields, as `Type.field`. */
export async function forgetSnapshots(declaration: Declaration, store: Store, which: (coordinate: string) => boolean): Promise<string[]> {
  const [found] = await store.readMany(ownContainer, [key])
  const declared = fieldsIn(declaration)
  await keep(store, Object.fromEntries(Object.entries(declared).filter(([coordinate]) => !which(coordinate))), found)
  return Object.keys(declared).filter(which)
}

function fieldsIn(declaration: Declaration): StoredFields {
  const { derive } = declaration.kindContext
  return Object.fromEntries(relationsIn(declaration).map(([{ coordinate, target }, relation]) => {
    const hashed = (name: string): string => {
      const text = textOf(derive[target]?.[name])
      return text === undefined ? name : `${name}#${createHash('sha256').update(text).digest('base64url').slice(0, 12)}`
    }
    return [coordinate, storedNames(relation).map(hashed)]
  }).filter(([, names]) => names!.length > 0))
}

function plain(name: string): string {
  return name.split('#')[0]!
}

/** Where one side knows no function, it is taken for the same. */
function includes(names: readonly string[] | undefined, name: string): boolean {
  return names?.some((other) => other === name || ((other === plain(other) || name === plain(name)) && plain(other) === plain(name))) === true
}

function relationsIn({ model, prepared }: Declaration): [Field, Relation][] {
  return allFields(model).flatMap((field) => {
    const found = prepared(field)
    return 'value' in found ? [] : [[field, found]]
  })
}

/** A reference always has the id. A count, or an inverse list, is stored as a whole. */
function storedNames({ copied, fresh }: Relation): string[] {
  if (!copied) return []
  if (copied.size === 0 || fresh) return [itself]
  return [...copied].filter((name) => name !== 'id' && name !== 'nodeId')
}

function without(relation: Relation, names: readonly string[]): Relation {
  // Where nothing is copied yet, there may not even be a snapshot with the id.
  if (names.length === storedNames(relation).length) return { ...relation, incompleteReason: 'it was declared after the documents were written' }
  return { ...relation, copied: relation.copied!.difference(new Set(names)) }
}

function intersection(one: StoredFields, other: StoredFields): StoredFields {
  return filtered(one, (coordinate, name) => includes(other[coordinate], name))
}

function difference(one: StoredFields, other: StoredFields): StoredFields {
  return filtered(one, (coordinate, name) => !includes(other[coordinate], name))
}

function filtered(fields: StoredFields, keeps: (coordinate: string, name: string) => boolean): StoredFields {
  return Object.fromEntries(Object.entries(fields).map(([coordinate, names]) => [coordinate, names.filter((name) => keeps(coordinate, name))]).filter(([, names]) => names!.length > 0))
}

/** Two gateways that start at once write about the same, so the second one skips its write. */
async function keep(store: Store, relations: StoredFields, found: StoredDocument | undefined): Promise<void> {
  if (found && JSON.stringify(found.body['relations']) === JSON.stringify(relations)) return
  try {
    await store.write([ownPut(key, { relations }, found ? { ifMatch: found.etag } : 'if-absent')])
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
  }
}
