// The Relay types around an object type. A schema may say `comments: CommentConnection!` without
// defining that type: it is written here, and its field is given the arguments of a page.

import { Kind, parse, visit, type DocumentNode, type FieldDefinitionNode, type TypeNode } from 'graphql'

/** What every schema has before anyone wrote a word of it: pages, nodes and an empty root. */
export const baseSdl = parse(/* GraphQL */ `
  "A document that can be found again by its global id."
  interface Node {
    "The global id: it says which type the document has and where it is kept."
    nodeId: ID!
  }

  "Where a page stands in its list."
  type PageInfo {
    "Whether more follows after the page."
    hasNextPage: Boolean!
    "Whether more comes before the page."
    hasPreviousPage: Boolean!
    "The cursor of the first entry."
    startCursor: String
    "The cursor of the last entry."
    endCursor: String
  }

  "Where reading starts."
  type Query {
    "Any document, by its global id."
    node(
      "The global id."
      nodeId: ID!
    ): Node
  }

  "Where writing starts."
  type Mutation
`)

const pageArguments = parse(/* GraphQL */ `
  type T {
    f(
      "How many entries from the start of the list, or after the cursor."
      first: Int
      "The cursor to start behind."
      after: String
      "How many entries from the end of the list, or before the cursor."
      last: Int
      "The cursor to end before."
      before: String
    ): Int
  }
`)

/** The same SDL with the arguments of a page on every connection, and with the connection types it left undefined. */
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
      "The entries of the page, each with its cursor."
      edges: [${node}Edge!]!
      "The entries of the page alone."
      nodes: [${node}!]!
      "Where the page stands in the list."
      pageInfo: PageInfo!
      "How long the whole list is. Counted only when it is asked for."
      totalCount: Int!
    }

    "An entry of a page of ${node}."
    type ${node}Edge {
      "The entry itself."
      node: ${node}!
      "Where the entry stands in the list: what after and before take."
      cursor: String!
    }
  `
}

/** The arguments of a page as SDL, for root fields. */
export const pageArgumentsSdl = connectionArguments()
  .map((argument) => `"${argument.description?.value}" ${argument.name.value}: ${namedType(argument.type)}`)
  .join(' ')

function connectionArguments() {
  const [type] = pageArguments.definitions
  return (type?.kind === Kind.OBJECT_TYPE_DEFINITION && type.fields?.[0]?.arguments) || []
}

/** The type that is meant, whether it may be null or is in a list. */
export function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type)
}
