// A recorded operation as GraphQL text that can be planned and sent. The recording has no values, so this file chooses
// some: any document, and pages as long as recorded. Answers of mutations and of the schema's own root fields
// become queries for the same type of document.

import { getNamedType, isCompositeType, isEnumType, type GraphQLSchema } from 'graphql'
import type { Declaration } from '../../../relations/declaration.ts'
import { nodeId } from '../../../model/keys/node-id.ts'
import { partitionFrom } from '../../../model/keys/partition.ts'
import { fieldAt, type DocumentType } from '../../../model/model.ts'
import { partitionArguments } from '../../../model/api/root-fields.ts'
import { uniqueRootField } from '../../../model/values/unique.ts'
import type { Body } from '../../../model/json/json.ts'
import { allRecordedNodes, type RecordedOperation, type RecordedNode } from '../../../observe/workload/workload.ts'

export interface TextOptions {
  readonly schema: GraphQLSchema
  readonly declaration: Pick<Declaration, 'model' | 'prepared'>
  /** Some document of a type; undefined if there is none. */
  readonly documentOf: (type: DocumentType) => Body | undefined
}

/** Undefined if it would read nothing. Each field's alias is `_` and the number of its recorded selection. */
export function operationText(operation: RecordedOperation, options: TextOptions): string | undefined {
  const writer = new OperationWriter(operation, options)
  const fields = operation.places.flatMap((place) => writer.root(place))
  return fields.length > 0 ? `{ ${fields.join(' ')} }` : undefined
}

/** The recorded selection that an alias in such an operation stands for. */
export function placeOfAlias(places: readonly RecordedNode[], name: string): RecordedNode {
  return places[Number(name.slice(1))]!
}

class OperationWriter {
  readonly #options: TextOptions
  readonly #numbers: ReadonlyMap<RecordedNode, number>
  readonly #times: number

  constructor({ places, times }: RecordedOperation, options: TextOptions) {
    this.#options = options
    this.#times = times
    this.#numbers = new Map(allRecordedNodes(places).map((place, index) => [place, index]))
  }

  root(place: RecordedNode): string[] {
    const { model } = this.#options.declaration
    const [parent, name = ''] = place.field.split('.')
    if (parent !== this.#options.schema.getQueryType()?.name) return this.#documentsBelow(place)
    const type = [...model.documents.values()].find(({ singular, plural }) => name === singular || name === plural)
    if (name === 'node') return this.#node(place)
    const byValue = uniqueRootField(model, name)
    if (byValue) return [this.#byValue(place, byValue)]
    if (!type) return this.#documentsBelow(place)
    if (name === type.plural) return [this.#field(place, name, `(first: ${pageOf(place, this.#times)})`, false)]
    return [this.#one(place, type)]
  }

  #one(place: RecordedNode, type: DocumentType): string {
    const document = this.#options.documentOf(type) ?? { id: '0' }
    const located = partitionArguments(type).flatMap(({ name, property }) => {
      const value = document[property]
      return place.given?.includes(name) && value !== undefined ? [`, ${name}: ${JSON.stringify(value)}`] : []
    })
    return this.#field(place, type.singular, `(id: ${JSON.stringify(document['id'])}${located.join('')})`, false)
  }

  #byValue(place: RecordedNode, { type, unique: { field, rootField, path } }: NonNullable<ReturnType<typeof uniqueRootField>>): string {
    const value = this.#options.documentOf(type)?.[path[0]!] ?? null
    // A document without a value is not found by one, and costs as much.
    return value === null ? this.#one(place, type) : this.#field(place, rootField, `(${field.name}: ${isEnumType(this.#options.schema.getType(field.target)) ? String(value) : JSON.stringify(value)})`, false)
  }

  #node(place: RecordedNode): string[] {
    const { declaration: { model }, documentOf } = this.#options
    const types = (place.below ?? []).flatMap(({ field }) => model.documents.get(field.split('.')[0]!) ?? [])
    const type = types.find((one) => documentOf(one)) ?? types[0]
    const document = type && (documentOf(type) ?? { id: '0' })
    if (!type || !document) return []
    const id = nodeId(type, String(document['id']), partitionFrom(type, document))
    const below = (place.below ?? []).filter(({ field }) => field.startsWith(`${type.name}.`))
    return [this.#field({ ...place, below }, 'node', `(nodeId: ${JSON.stringify(id)})`, false, place)]
  }

  /** The gateway had these documents already; the replay reads them again if the operation followed a relation from them. */
  #documentsBelow(place: RecordedNode): string[] {
    const { model } = this.#options.declaration
    const type = place.below?.map(({ field }) => model.documents.get(field.split('.')[0]!)).find((one) => one !== undefined)
    if (!type) return (place.below ?? []).flatMap((each) => this.#documentsBelow(each))
    const related = allRecordedNodes(place.below!).some(({ field }) => this.#isRelation(field))
    return related ? [this.#one(place, type)] : []
  }

  #field(place: RecordedNode, name: string, given: string, forced: boolean, numbered = place): string {
    const { field, below = [] } = place
    const relation = this.#isRelation(field)
    const read = relation && place.forced ? ' @read(from: REFERENCE)' : relation && forced ? ' @read(from: AUTO)' : ''
    return `_${this.#numbers.get(numbered)}: ${name}${given}${read}${this.#selection(field, below, forced || place.forced === true)}`
  }

  #selection(field: string, below: readonly RecordedNode[], forced: boolean): string {
    if (below.length === 0) return isComposite(this.#options.schema, field) ? ' { __typename }' : ''
    const byType = Map.groupBy(below, (place) => place.field.split('.')[0]!)
    return ` { ${[...byType].map(([type, places]) => `... on ${type} { ${places.map((place) => this.#below(place, forced)).join(' ')} }`).join(' ')} }`
  }

  #below(place: RecordedNode, forced: boolean): string {
    const field = fieldAt(this.#options.declaration.model, place.field)
    const paged = field?.shape === 'connection'
    return this.#field(place, place.field.split('.')[1]!, paged ? `(first: ${pageOf(place, place.resolved ?? 1)})` : '', forced)
  }

  #isRelation(coordinate: string): boolean {
    const field = fieldAt(this.#options.declaration.model, coordinate)
    return field !== undefined && !('value' in this.#options.declaration.prepared(field))
  }
}

/** The fields of an operation that this schema does not have. */
export function unknownFields({ places }: RecordedOperation, schema: GraphQLSchema): string[] {
  return allRecordedNodes(places).map(({ field }) => field).filter((coordinate) => {
    const [typeName = '', name = ''] = coordinate.split('.')
    const type = schema.getType(typeName)
    return !(type && 'getFields' in type && name in type.getFields())
  })
}

/** The page size of a connection. A page that was asked for hasNextPage has found one entry more. */
function pageOf({ rows = 0, documents = 0, below = [] }: RecordedNode, holders: number): number {
  const peeked = below.some((each) => (each.below ?? []).some(({ field }) => field === 'PageInfo.hasNextPage' || field === 'PageInfo.hasPreviousPage'))
  // Without a query the entries are in buckets: the recent ones in the document were enough, or a bucket was read.
  if (rows === 0 && documents > 0) return 20
  return Math.max(0, Math.round(rows / holders) - Number(peeked)) || 1
}

function isComposite(schema: GraphQLSchema, coordinate: string): boolean {
  const [typeName = '', name = ''] = coordinate.split('.')
  const type = schema.getType(typeName)
  const field = type && 'getFields' in type ? type.getFields()[name] : undefined
  return field !== undefined && isCompositeType(getNamedType(field.type))
}

