// The documents with everything changed that a viewer cannot see: hidden documents are removed, and hidden fields and
// snapshots of hidden documents have other values.

import type { Access } from '../../src/auth/access.ts'
import { isStored, type DocumentType, type Field, type Model, type ObjectType } from '../../src/model/model.ts'
import type { Body, Json } from '../../src/model/json/json.ts'
import type { Documents } from '../harness.ts'

export function scrubbed(documents: Documents, model: Model, access: Access): Documents {
  const seen = new Map(Object.entries(documents).map(([name, bodies]) => {
    const type = model.documents.get(name)!
    return [name, new Set(bodies.filter((body) => isPart(type, body) || access.sees(type, body)).map(({ id }) => String(id)))]
  }))
  const isSeen = (type: string, id: unknown): boolean => seen.get(type)?.has(String(id)) ?? false
  const scrub = (type: ObjectType, body: Body): Body => Object.fromEntries(Object.entries(body).map(([property, value]) => {
    const field = [...type.fields.values()].find(({ storage }) => 'at' in storage && storage.at === property)
    return [property, field ? ofField(field, value ?? null) : value]
  }))
  const ofField = (field: Field, value: Json): Json => {
    if (access.reading(field) !== 'free') return other(value)
    if (isStored(field, 'counted')) return access.seeing(field) === 'free' ? value : other(value)
    if (isStored(field, 'reference', 'snapshot')) return each(value, (entry) => pointing(field, entry))
    const contained = model.contained.get(field.target)
    if (!contained) return value
    return each(value, (entry) => (access.reading(contained) === 'free' ? scrub(contained, entry as Body) : other(entry)))
  }
  const pointing = (field: Field, entry: Json): Json => {
    const id = typeof entry === 'object' && entry !== null ? (entry as Body)['id'] : entry
    if (isSeen(field.target, id)) return entry
    return typeof entry === 'object' && entry !== null ? { ...(other(entry) as Body), id: `gone-${String(id)}` } : `gone-${String(id)}`
  }
  return Object.fromEntries(Object.entries(documents).map(([name, bodies]) => {
    const type = model.documents.get(name)!
    return [name, bodies.filter(({ id }) => isSeen(name, id) && isSeen(name, String(id).split('.')[0])).map((body) => (isPart(type, body) ? body : scrub(type, body)))]
  }))
}

/** Bucket documents, which are part of a document of the type. */
export function isPart({ discriminator }: DocumentType, { type }: Body): boolean {
  return discriminator !== undefined && type !== undefined && type !== discriminator
}

function each(value: Json, change: (entry: Json) => Json): Json {
  if (value === null) return null
  return Array.isArray(value) ? (value as readonly Json[]).map(change) : change(value)
}

/** Another value of the same JSON type. */
function other(value: Json): Json {
  if (typeof value === 'number') return value + 7
  if (typeof value === 'string') return `Not ${value.length}`
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? (value as readonly Json[]).map(other) : Object.fromEntries(Object.entries(value as Body).map(([name, inner]) => [name, other(inner ?? null)]))
}
