// Relay connections. A schema may declare `comments: CommentConnection!` without defining that type: it is defined here,
// and the field gets the arguments for paging.

import { Kind, parse, visit, type DocumentNode, type FieldDefinitionNode, type TypeNode } from 'graphql'

/** What every schema has: Node, PageInfo, Query.node and an empty Mutation. */
export const baseSdl = parse(/* GraphQL */ `
  "A document with a global id."
  interface Node {
    "The global id: it encodes the type and the key of the document."
    nodeId: ID!
  }

  "The position of a page in its list."
  type PageInfo {
    "Whether there are entries after this page."
    hasNextPage: Boolean!
    "Whether there are entries before this page."
    hasPreviousPage: Boolean!
    "The cursor of the first entry of the page."
    startCursor: String
    "The cursor of the last entry of the page."
    endCursor: String
  }

  "All queries."
  type Query {
    "Finds any document by its global id."
    node(
      "The global id."
      nodeId: ID!
    ): Node
  }

  "All mutations."
  type Mutation
`)

const pageArguments = parse(/* GraphQL */ `
  type T {
    f(
      "Returns this many entries from the start of the list, or after the cursor."
      first: Int
      "Returns entries after this cursor."
      after: String
      "Returns this many entries from the end of the list, or before the cursor."
      last: Int
      "Returns entries before this cursor."
      before: String
    ): Int
  }
`)

/** The SDL with paging arguments on every connection field, and with the connection types that it does not define. */
export function withConnections(sdl: DocumentNode): DocumentNode {
  const defined = new Set(sdl.definitions.flatMap((node) => ('name' in node && node.name ? [node.name.value] : [])))
  const wanted = new Set<string>()
  const document = visit(sdl, {
    FieldDefinition(field): FieldDefinitionNode | undefined {
      const node = nodeOfConnection(namedType(field.type))
      if (node === undefined) return undefined
      wanted.add(node)
      const own = new Set(field.arguments?.map((argument) => argument.name.value))
      const missing = connectionArguments().filter((argument) => !own.has(argument.name.value))
      return { ...field, arguments: [...(field.arguments ?? []), ...missing] }
    },
  })
  const written = [...wanted].filter((node) => !defined.has(`${node}Connection`)).map(connectionSdl)
  return { ...document, definitions: [...document.definitions, ...written.flatMap((text) => parse(text).definitions)] }
}

/** `Comment` of `CommentConnection`. */
export function nodeOfConnection(typeName: string): string | undefined {
  return typeName.endsWith('Connection') ? typeName.slice(0, -'Connection'.length) : undefined
}

export function connectionSdl(node: string): string {
  return /* GraphQL */ `
    "A page of a list of ${node}."
    type ${node}Connection {
      "The entries of this page with their cursors."
      edges: [${node}Edge!]!
      "The entries of this page."
      nodes: [${node}!]!
      "The position of this page in the list."
      pageInfo: PageInfo!
      "The length of the whole list. Counted only if you select it."
      totalCount: Int!
    }

    "An entry of a page of ${node}."
    type ${node}Edge {
      "The entry."
      node: ${node}!
      "The position of the entry in the list, for after and before."
      cursor: String!
    }
  `
}

/** The paging arguments as SDL, for root fields. */
export const pageArgumentsSdl = connectionArguments()
  .map((argument) => `"${argument.description?.value}" ${argument.name.value}: ${namedType(argument.type)}`)
  .join(' ')

function connectionArguments() {
  const [type] = pageArguments.definitions
  return (type?.kind === Kind.OBJECT_TYPE_DEFINITION && type.fields?.[0]?.arguments) || []
}

/** The name of a type without its list and non-null wrappers. */
export function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type)
}
