// The generated queries: the fields that every document type gets, and the root fields for one document and for pages of
// many, with filters and orders.

import { parse, type DocumentNode } from 'graphql'
import { aggregatesSdl } from './aggregates.ts'
import { connectionSdl, pageArgumentsSdl } from './connections.ts'
import { conditionsSdl, filterables, filterInput, filterInputSdl, idArgument, orderables, relationFilterables, relationFilterInput, relationFilterSdl } from './filters.ts'
import { containedFilterables } from '../contained-fields.ts'
import { containedEntrySdl, containedFiltersSdl } from './contained-filters.ts'
import { hasNumericIds, holdsPlainIds } from '../pointers.ts'
import { uniqueFields } from '../values/unique.ts'
import { fieldStoredAt, partitionProperties, type DocumentType, type Model } from '../model.ts'

/** `written` are the names of the types that the schema defines itself. */
export function rootFieldsSdl(model: Model, written: ReadonlySet<string>): DocumentNode {
  const documents = [...model.documents.values()]
  const related = documents.flatMap((type) => relationFilterables(type, model))
  const contained = containedFiltersSdl(model)
  const filters = documents.flatMap((type) => filterables(type))
  const scalars = new Set([...filters, ...related.flatMap((each) => each.filters)].map(({ scalar }) => scalar).concat(contained.scalars))
  const lists = new Set(['ID', ...filters.filter(({ many }) => many).map(({ scalar }) => scalar)])
  return parse([
    sharedSdl,
    ...[...lists].map((scalar) => filterInputSdl({ scalar, many: true })),
    ...[...scalars].map((scalar) => filterInputSdl({ scalar, many: false })),
    ...documents.map((type) => documentSdl(type, model)),
    ...related.map(relationFilterSdl),
    ...contained.sdl,
    aggregatesSdl(model),
    ...documents.filter((type) => !written.has(`${type.name}Connection`)).map((type) => connectionSdl(type.name)),
  ].join('\n'))
}

/** The arguments that, together with the id, find a document with one point read. */
export function partitionArguments(type: DocumentType): PartitionArgument[] {
  return partitionProperties(type).flatMap((property) => {
    const field = fieldStoredAt(type, property)
    if (holdsPlainIds(field)) return [{ name: idArgument(field), scalar: 'ID', property, numeric: hasNumericIds(field) }]
    // A key inside a contained object cannot be given as one value: such documents are found by query.
    return field?.leaf ? [{ name: field.name, scalar: field.target, property, numeric: false }] : []
  })
}

export interface PartitionArgument {
  readonly name: string
  readonly scalar: string
  /** The stored property that the argument gives. */
  readonly property: string
  /** Whether it is stored as a number although it is given as an id. */
  readonly numeric: boolean
}

const sharedSdl = /* GraphQL */ `
  "The direction of an order."
  enum OrderDirection {
    "Smallest first."
    ASC
    "Largest first."
    DESC
  }
`

function documentSdl(type: DocumentType, model: Model): string {
  const { name, singular, plural } = type
  const filters = filterables(type)
  const orders = orderables(type, model)
  const located = partitionArguments(type)
  return /* GraphQL */ `
    extend type ${name} implements Node {
      "The global id, for Query.node and client caches."
      nodeId: ID!
      "Changes with every write of the document. Pass it as ifMatch to detect conflicts."
      etag: String!
    }

    extend type Query {
      "Finds one ${name} by id."
      ${singular}(
        "The id of the document."
        id: ID!
        ${located.map((argument) => `"Part of the partition key. With all parts given, one point read finds the document." ${argument.name}: ${argument.scalar}`).join(' ')}
      ): ${name}
      ${uniqueFields(type).map(({ field, rootField }) => `
      "Finds one ${name} by its ${field.name}, which no other has."
      ${rootField}("The ${field.name} of the document." ${field.name}: ${field.target}!): ${name}`).join('')}

      "Lists ${plural}, one page at a time."
      ${plural}(
        ${pageArgumentsSdl}
        "Returns only documents that match."
        filter: ${name}Filter
        "The order of the list; by id if omitted. Of several, each decides among documents that are equal by those before it."
        orderBy: [${name}Order!]
      ): ${name}Connection!
    }

    ${conditionsSdl(`${name}Filter`, `A filter of ${plural}. All given conditions must match.`, [
      ...filters.map((filter) => `"${filter.description}" ${filter.name}: ${filterInput(filter)}`),
      ...relationFilterables(type, model).map((filter) => `"Filters by what ${filter.field.name} shows." ${filter.field.name}: ${relationFilterInput(filter)}`),
      ...containedFilterables(type, model).map(containedEntrySdl),
    ])}

    "An order of ${plural}."
    input ${name}Order {
      "The field to order by."
      field: ${name}OrderField!
      "The direction."
      direction: OrderDirection! = ASC
    }

    "The fields that ${plural} can be ordered by."
    enum ${name}OrderField {
      ${orders.map((order) => `"By ${order.key}." ${order.name}`).join(' ')}
    }
  `
}
