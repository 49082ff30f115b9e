// What the attacker knows of a gateway: its schema, existing documents, cursors of its lists, and secrets that are sent to
// see whether they appear anywhere.

import { buildASTSchema, getNamedType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql'
import type { Declaration } from '../../src/relations/declaration.ts'
import type { Tokens } from './callers.ts'
import type { Secret } from '../secret-search.ts'
import type { Ask } from './hostile-request.ts'
import { placesOf, selectionOf, takesText, type Place } from './places.ts'

export interface World {
  readonly schema: GraphQLSchema
  readonly places: readonly Place[]
  /** Those that take a text. */
  readonly texts: readonly Place[]
  /** By document type: ids of documents that the attack may change. */
  readonly ids: ReadonlyMap<string, readonly string[]>
  /** Cursors by the root field that gave them. */
  readonly cursors: ReadonlyMap<string, readonly string[]>
  readonly nodeIds: readonly string[]
  /** Sent in headers; must appear nowhere. */
  readonly sent: Readonly<Record<'authorization' | 'cookie' | 'password', Secret>>
  /** Sent as a value: answers may quote it, nothing else. */
  readonly value: Secret
  /** Types whose documents only their owners may read; none where everything is open. */
  readonly owned: readonly string[]
  /** Undefined without authentication. */
  readonly tokens: Tokens | undefined
}

export interface WorldOptions {
  readonly declaration: Declaration
  readonly ask: Ask
  readonly seed: string
  readonly owned: readonly string[]
  readonly tokens: Tokens | undefined
}

export async function openWorld({ declaration, ask, seed, owned, tokens }: WorldOptions): Promise<World> {
  const schema = buildASTSchema(declaration.sdl)
  const ids = new Map<string, string[]>()
  const cursors = new Map<string, string[]>()
  const nodeIds: string[] = []
  for (const { field, type } of listsOf(schema)) {
    const { data } = await ask(`{ ${field} { edges { cursor node { id nodeId } } } }`)
    const { edges } = (data as Record<string, { edges: { cursor: string; node: { id: string; nodeId: string } }[] }>)[field]!
    cursors.set(field, edges.map(({ cursor }) => cursor))
    ids.set(type, edges.map(({ node }) => node.id))
    nodeIds.push(...edges.map(({ node }) => node.nodeId))
  }
  const places = placesOf(schema)
  const secret = (name: string): Secret => ({ name, text: `canary-${name.replaceAll(' ', '-')}-${seed}-do-not-tell` })
  return {
    schema, places, texts: places.filter(takesText), ids, cursors, nodeIds, owned, tokens, value: secret('value of a variable'),
    sent: { authorization: secret('bearer token'), cookie: secret('cookie'), password: secret('password in an address') },
  }
}

/** Root fields that return connections of documents. */
export function listsOf(schema: GraphQLSchema): { readonly field: string; readonly type: string }[] {
  return Object.values(schema.getQueryType()!.getFields()).flatMap((field) => {
    const node = nodeOf(field)
    return node ? [{ field: field.name, type: node }] : []
  })
}

function nodeOf({ type }: GraphQLField<unknown, unknown>): string | undefined {
  const connection = getNamedType(type)
  if (!isObjectType(connection)) return undefined
  const nodes = connection.getFields()['nodes']
  return nodes && getNamedType(nodes.type).name
}

/** Every document as clients see it, by type and id, without fields that change with every write. */
export async function seenDocuments(schema: GraphQLSchema, ask: Ask): Promise<Map<string, string>> {
  const seen = new Map<string, string>()
  for (const { field, type } of listsOf(schema)) {
    const selection = selectionOf(schema.getType(type) as never).replaceAll(/\betag\b/g, '')
    for (const node of await nodesOf(field, selection, ask)) seen.set(`${type} ${String(node['id'])}`, JSON.stringify(node))
  }
  return seen
}

export type Node = Readonly<Record<string, unknown>>

/** All nodes of a list, page by page. The selection includes its braces. */
export async function nodesOf(field: string, selection: string, ask: Ask): Promise<Node[]> {
  const all: Node[] = []
  for (let after: string | null = null; ;) {
    const { data, errors } = await ask(`query($after: String) { ${field}(first: 500, after: $after) { nodes ${selection} pageInfo { endCursor hasNextPage } } }`, { after })
    const page = data?.[field] as { nodes: Node[]; pageInfo: { endCursor: string; hasNextPage: boolean } } | undefined
    if (!page) throw new Error(`${field} cannot be read: ${JSON.stringify(errors)}`)
    all.push(...page.nodes)
    if (!page.pageInfo.hasNextPage) return all
    after = page.pageInfo.endCursor
  }
}
