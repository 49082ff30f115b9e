// Documents that point at each other as densely as their schema allows: every list has the ids of all documents of its type.

import type { Body, Json } from '../../src/model/json/json.ts'
import { fieldAt, isStored, targetOf, type ContainedType, type DocumentType, type Field, type ObjectType } from '../../src/model/model.ts'
import type { Declaration } from '../../src/relations/declaration.ts'
import type { Documents } from '../harness.ts'

/** How deep objects are inside of themselves. */
const maxNested = 6

/** `count` documents of each type, with the ids 0, 1, 2, … */
export function denseDocuments({ model, prepared }: Declaration, count: number): Documents {
  const ids = Array.from({ length: count }, (_, at) => String(at))

  const valueOf = (field: Field, at: number, nested = 0): Json => {
    const { storage, shape, target } = field
    if (isStored(field, 'reference', 'snapshot')) {
      const entry = (id: string): Json => (isStored(field, 'reference') ? (field.storage.numeric ? Number(id) : id) : copyOf(field, id))
      return shape === 'list' ? ids.slice(0, field.storage.max).map(entry) : entry(ids[at]!)
    }
    if (storage.kind === 'counted') return count
    const inside = containedAs(target)
    const one = field.leaf ? leafOf(target, at) : inside && nested < maxNested ? bodyOf(inside, at, nested + 1) : null
    return shape === 'list' ? (one === null ? [] : [one, one]) : one
  }

  const bodyOf = (type: ObjectType, at: number, nested = 0): Body => Object.fromEntries([...type.fields.values()].flatMap((field): [string, Json][] => {
    const { storage } = field
    return 'at' in storage && storage.kind !== 'bucketed' && field.name !== 'id' ? [[storage.at, valueOf(field, at, nested)]] : []
  }))

  const copyOf = (field: Field, id: string): Json => {
    const target = targetOf(model, field)
    const body = documentOf(target, Number(id))
    const copied = isStored(field, 'snapshot') ? field.storage.fields : []
    return { id, ...Object.fromEntries(copied.map((name) => {
      const found = prepared(fieldAt(model, `${target.name}.${name}`)!)
      return [name, ('value' in found ? found.value(body) : null) as Json]
    })) }
  }

  const known = new Map<string, Body>()
  const documentOf = (type: DocumentType, at: number): Body => {
    const name = `${type.name} ${at}`
    const found = known.get(name)
    if (found) return found
    const id = String(at)
    const keys = type.partitionKey.form === 'paths' ? type.partitionKey.paths.flatMap((path) => (path.length === 1 && path[0] !== 'id' ? [[path[0]!, id]] : [])) : []
    const body = { ...Object.fromEntries(keys), ...leaves(type, at), id } as Body
    known.set(name, body)
    Object.assign(body, bodyOf(type, at), { id })
    return body
  }

  const leaves = (type: ObjectType, at: number): Body => Object.fromEntries([...type.fields.values()].flatMap((field): [string, Json][] => (field.leaf && isStored(field, 'stored') && field.name !== 'id' ? [[field.storage.at, valueOf(field, at)]] : [])))

  const containedAs = (name: string): ContainedType | undefined => model.contained.get(name) ?? model.unions.get(name)?.[0]

  return Object.fromEntries([...model.documents.values()].map((type) => [type.name, ids.map((id) => documentOf(type, Number(id)))]))
}

function leafOf(type: string, at: number): Json {
  if (type === 'Int' || type === 'Float') return at
  if (type === 'Boolean') return at % 2 === 0
  return `text ${at}`
}
