// Refuses a change that would give a second document a value that must be unique. One query finds all documents that will have the
// claimed values. Where reading and writing are one transaction that is all it takes; elsewhere reservations.ts decides between
// writers that ask at the same moment.

import { GraphQLError } from 'graphql'
import { keyText } from '../../model/keys/key.ts'
import type { Body } from '../../model/json/json.ts'
import type { DocumentType } from '../../model/model.ts'
import { knownScalars } from '../../model/values/known-scalars.ts'
import { uniqueFields, type UniqueField } from '../../model/values/unique.ts'
import type { Entry } from '../../relations/maintenance.ts'
import { scalarAt } from '../../store/conditions.ts'
import type { Scalar } from '../../store/query.ts'
import type { Changeset } from '../changeset.ts'
import type { Permission } from '../permission.ts'

/** A value that a document of the changeset gets, or loses. */
export interface Claim {
  readonly type: DocumentType
  readonly unique: UniqueField
  readonly entry: Entry
  readonly value: Scalar
}

/** Longer lists of values are asked for in several queries at once. */
const maxValuesPerQuery = 100

/** The error names the holder only if the viewer may see it, and may look for documents by the field. */
export async function checkUnique(changes: Changeset, permission?: Permission): Promise<void> {
  const claims = claimsIn(changes.entries)
  if (claims.length === 0) return
  const refused: Refused[] = []
  for (const same of Map.groupBy(claims, ({ unique }) => unique).values()) refused.push(...await refusedIn(same, changes, permission))
  if (refused.length === 0) return
  refusedWith.set(refused[0]!.error, refused)
  throw refused[0]!.error
}

/** A document that would be the second one to have a value. */
export interface Refused {
  readonly entry: Entry
  readonly error: GraphQLError
}

/** All documents that were refused together with the one that the error is about. */
export function refusedTogether(error: unknown): readonly Refused[] {
  return refusedWith.get(error as GraphQLError) ?? []
}

const refusedWith = new WeakMap<GraphQLError, readonly Refused[]>()

/** The values that documents get. */
export function claimsIn(entries: readonly Entry[]): Claim[] {
  return differing(entries, ({ after }) => after, ({ before }) => before)
}

/** The values that documents lose. */
export function losesIn(entries: readonly Entry[]): Claim[] {
  return differing(entries, ({ before }) => before, ({ after }) => after)
}

type Version = (entry: Entry) => Body | undefined

function differing(entries: readonly Entry[], has: Version, hasNot: Version): Claim[] {
  return entries.flatMap((entry): Claim[] => (entry.type ? uniqueFields(entry.type) : []).flatMap((unique) => {
    const value = valueIn(unique, has(entry))
    return value === null || value === valueIn(unique, hasNot(entry)) ? [] : [{ type: entry.type!, unique, entry, value }]
  }))
}

export function valueIn({ path }: UniqueField, body: Body | undefined): Scalar {
  return body ? scalarAt(path, body) : null
}

async function refusedIn(claims: readonly Claim[], changes: Changeset, permission: Permission | undefined): Promise<Refused[]> {
  const { type, unique } = claims[0]!
  const values = [...new Set(claims.map(({ value }) => value))]
  const chunks = Array.from({ length: Math.ceil(values.length / maxValuesPerQuery) }, (_, at) => values.slice(at * maxValuesPerQuery, (at + 1) * maxValuesPerQuery))
  const found = (await Promise.all(chunks.map((some) => changes.find(type, some.length === 1 ? { op: 'eq', path: unique.path, value: some[0]! } : { op: 'in', path: unique.path, values: some })))).flat()
  const holders = Map.groupBy(found, ({ after }) => valueIn(unique, after))
  // Of several documents that get the same value, the first one may have it.
  const claiming = new Set(claims.map(({ entry }) => keyText(entry.key)))
  const later = new Set(claiming)
  return claims.flatMap(({ entry, value }): Refused[] => {
    later.delete(keyText(entry.key))
    const other = holders.get(value)?.find(({ key }) => keyText(key) !== keyText(entry.key) && !later.has(keyText(key)))
    return other ? [{ entry, error: notUnique(unique, value, type, claiming.has(keyText(other.key)) ? undefined : other, permission) }] : []
  })
}

/** Without a holder, another document of the same change gets the value: as the change is refused, it will not have it. Not even the value is told to a viewer who may not read it: an increment leads to it from one that is stored. */
function notUnique({ field }: UniqueField, value: Scalar, type: DocumentType, other: Entry | undefined, permission: Permission | undefined): GraphQLError {
  const { coordinate, name, target } = field
  const isKnown = permission?.findsBy(type, field) ?? true
  const holder = other && isKnown && permission?.sees(other) !== false ? other.key.id : undefined
  const shown = isKnown ? JSON.stringify(Object.hasOwn(knownScalars, target) ? knownScalars[target]!.show(value) : value) : 'this value'
  const message = other === undefined ? `${coordinate} must be unique, and another document of this change gets ${shown}. Give another ${name}.`
    : holder === undefined ? `${coordinate} must be unique, and another document has ${shown} already. Give another ${name}.`
    : `${coordinate} must be unique, and ${type.name} ${holder} has ${shown} already. Give another ${name}, or change that document.`
  return new GraphQLError(message, { extensions: { code: 'NOT_UNIQUE', field: coordinate, ...(holder === undefined ? {} : { holder }) } })
}
