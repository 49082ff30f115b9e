// Refuses a change that would give a second document a value that must be unique. One query finds all documents that will have the
// claimed values. Where reading and writing are one transaction that is all it takes; elsewhere reservations.ts decides between
// writers that ask at the same moment.

import { GraphQLError } from 'graphql'
import { keyText } from '../../model/keys/key.ts'
import type { Body } from '../../model/json/json.ts'
import type { DocumentType } from '../../model/model.ts'
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

/** Of a document that somebody else holds, the error names it only if the viewer may see it. */
export async function checkUnique(changes: Changeset, permission?: Permission): Promise<void> {
  const claims = claimsIn(changes.entries)
  if (claims.length === 0) return
  for (const same of Map.groupBy(claims, ({ unique }) => unique).values()) await checkField(same, changes, permission)
}

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

async function checkField(claims: readonly Claim[], changes: Changeset, permission: Permission | undefined): Promise<void> {
  const { type, unique } = claims[0]!
  const values = [...new Set(claims.map(({ value }) => value))]
  const chunks = Array.from({ length: Math.ceil(values.length / maxValuesPerQuery) }, (_, at) => values.slice(at * maxValuesPerQuery, (at + 1) * maxValuesPerQuery))
  const found = (await Promise.all(chunks.map((some) => changes.find(type, some.length === 1 ? { op: 'eq', path: unique.path, value: some[0]! } : { op: 'in', path: unique.path, values: some })))).flat()
  const holders = Map.groupBy(found, ({ after }) => valueIn(unique, after))
  for (const { entry, value } of claims) {
    const other = holders.get(value)?.find(({ key }) => keyText(key) !== keyText(entry.key))
    if (other) throw notUnique(unique, value, type, permission?.sees(other) === false ? undefined : other.key.id)
  }
}

function notUnique({ field: { coordinate, name } }: UniqueField, value: Scalar, type: DocumentType, holder: string | undefined): GraphQLError {
  const message = holder === undefined ? `${coordinate} must be unique, and another document has ${JSON.stringify(value)} already. Give another ${name}.`
    : `${coordinate} must be unique, and ${type.name} ${holder} has ${JSON.stringify(value)} already. Give another ${name}, or change that document.`
  return new GraphQLError(message, { extensions: { code: 'NOT_UNIQUE', field: coordinate, ...(holder === undefined ? {} : { holder }) } })
}
