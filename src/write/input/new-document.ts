// What mutations and imports share when they create a document: its initial body, and the checks that its id and its
// partition key can be stored.

import { badInput } from '../../graphql-errors.ts'
import { allFields, partitionProperties, type DocumentType, type Field, type Model } from '../../model/model.ts'
import { storageTraits } from '../../model/storages.ts'
import { holdsAmount, initialAmount } from '../../relations/aggregates/stored-amount.ts'
import { inputName } from '../../model/api/mutations.ts'
import { checkConstraint } from './check-input.ts'
import { kindOf } from '../../relations/kinds.ts'
import type { Body, Json } from '../../model/json/json.ts'

/** A value that was not given is the field's default. Without one, a list is stored empty, not absent, and counts start from 0. */
export function newBody(type: DocumentType, id: string, properties: Body): Body {
  return { ...initialValues(type), ...properties, ...(type.discriminator === undefined ? {} : { type: type.discriminator }), id }
}

/** An input that GraphQL has not read may lack a list that needs entries. */
export function checkNeededLists(type: DocumentType, body: Body): void {
  for (const field of type.fields.values()) if (field.constraint?.minItems !== undefined && 'at' in field.storage) checkConstraint(field, body[field.storage.at] ?? [], [inputName(field)!])
}

export function checkPartitionKey(type: DocumentType, body: Body): void {
  const missing = partitionProperties(type).filter((property) => body[property] === undefined || body[property] === null)
  if (missing.length > 0) throw badInput(`${type.name} cannot be stored: its partition key needs ${missing.join(' and ')}. Give a value.`)
}

/** Whether the id has the form that buckets in the same container use. */
export function isReservedId(model: Model, type: DocumentType, id: string): boolean {
  return allFields(model).some((field) => model.documents.get(field.owner)?.container === type.container && kindOf(field).reserves?.(field, id))
}

function initialValues(type: DocumentType): Body {
  let initial = initialValuesOf.get(type)
  if (!initial) initialValuesOf.set(type, (initial = Object.fromEntries([...type.fields.values()].flatMap(initialValue))))
  return initial
}

function initialValue(field: Field): [string, Json][] {
  const { shape, storage, default: given } = field
  if (given && 'at' in storage) return [[storage.at, given.value]]
  if (shape === 'list' && 'at' in storage) return [[storage.at, []]]
  if (holdsAmount(field)) return initialAmount(field)
  return storageTraits[storage.kind].holds === 'count' && 'at' in storage ? [[storage.at, 0]] : []
}

/** Cached: an import asks for every row. */
const initialValuesOf = new WeakMap<DocumentType, Body>()
