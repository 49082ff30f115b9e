// The part of the API that follows from the model: what every document type is given, and the root
// fields for one document and for many, with their filters and orders.

import { parse, type DocumentNode } from 'graphql'
import { connectionSdl, pageArgumentsSdl } from './connections.ts'
import { filterables, filterInput, filterInputSdl, idArgument, orderables } from './filters.ts'
import { hasNumericIds, holdsPlainIds } from '../pointers.ts'
import { fieldStoredAt, partitionProperties, type DocumentType, type Model } from '../model.ts'

/** `written` are the names of the types that the schema has already. */
export function rootFieldsSdl(model: Model, written: ReadonlySet<string>): DocumentNode {
  const documents = [...model.documents.values()]
  const scalars = new Set(documents.flatMap((type) => filterables(type).map(({ scalar }) => scalar)))
  return parse([
    sharedSdl,
    filterInputSdl({ scalar: 'ID', many: true }),
    ...[...scalars].map((scalar) => filterInputSdl({ scalar, many: false })),
    ...documents.map(documentSdl),
    ...documents.filter((type) => !written.has(`${type.name}Connection`)).map((type) => connectionSdl(type.name)),
  ].join('\n'))
}

/** What a reader may add to the id of a document, so that it is found with one read. */
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
  "Which way round a list is ordered."
  enum OrderDirection {
    "Smallest first."
    ASC
    "Largest first."
    DESC
  }
`

function documentSdl(type: DocumentType): string {
  const { name, singular, plural } = type
  const filters = filterables(type)
  const orders = orderables(type)
  const located = partitionArguments(type)
  return /* GraphQL */ `
    extend type ${name} implements Node {
      "The global id of the document, for node and for client caches."
      nodeId: ID!
      "Changes with every write of the document: what ifMatch takes."
      etag: String!
    }

    extend type Query {
      "One ${name}, by its id."
      ${singular}(
        "The document's own id."
        id: ID!
        ${located.map((argument) => `"Part of the partition key: with all of them given, one read finds the document." ${argument.name}: ${argument.scalar}`).join(' ')}
      ): ${name}

      "A page of ${plural}."
      ${plural}(
        ${pageArgumentsSdl}
        "Only those for which all of this is true."
        filter: ${name}Filter
        "In which order; by id unless it is said."
        orderBy: ${name}Order
      ): ${name}Connection!
    }

    "What ${plural} can be filtered by. All that is given has to be true."
    input ${name}Filter {
      "All of these have to be true as well."
      and: [${name}Filter!]
      "At least one of these has to be true as well."
      or: [${name}Filter!]
      "This must not be true."
      not: ${name}Filter
      ${filters.map((filter) => `"${filter.description}" ${filter.name}: ${filterInput(filter)}`).join(' ')}
    }

    "An order of ${plural}."
    input ${name}Order {
      "What to order by."
      field: ${name}OrderField!
      "Which way round."
      direction: OrderDirection! = ASC
    }

    "What ${plural} can be ordered by."
    enum ${name}OrderField {
      ${orders.map((order) => `"By ${order.field.name}." ${order.name}`).join(' ')}
    }
  `
}
