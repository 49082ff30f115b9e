// Writes `@read` into an operation for one relation, wherever the operation asks for it. The text is
// changed in place, so that comments and spaces stay as they were.

import {
  isAbstractType, isObjectType, Kind, parse, print, TokenKind, TypeInfo, visit, visitWithTypeInfo,
  type ASTNode, type DirectiveNode, type DocumentNode, type FieldNode, type GraphQLSchema, type OperationDefinitionNode,
} from 'graphql'

/** As the gateway chooses; always looked up; from a copy only if it is proved to be of this moment. */
export type Way = 'AUTO' | 'REFERENCE' | 'FRESH'

const written: Record<Way, string> = { AUTO: '@read(from: AUTO)', REFERENCE: '@read(from: REFERENCE)', FRESH: '@read(maxStaleMs: 0)' }

/** The way that the operation itself asks for at this relation; undefined if it asks for another one, or for several. */
export function askedWay(text: string, schema: GraphQLSchema, coordinate: string, operationName?: string | null): Way | undefined {
  const ways = new Set(placesOf(text, schema, coordinate, operationName).map(({ node }) => wayOf(node)))
  return ways.size === 1 ? [...ways][0] : undefined
}

/** The operation with the relation asked for in that way; undefined if the operation does not ask for the relation. */
export function askFor(way: Way, text: string, schema: GraphQLSchema, coordinate: string, operationName?: string | null): string | undefined {
  const places = placesOf(text, schema, coordinate, operationName)
  if (places.length === 0) return undefined
  // From the end, so that what has been changed does not move what has not.
  return places.toSorted((one, other) => startOf(other.node) - startOf(one.node)).reduce((changed, { node, below }) => {
    // Below another @read, leaving it out would mean that one.
    const directive = way === 'AUTO' && !below ? '' : written[way]
    const [start, end] = spanOfRead(changed, node)
    return changed.slice(0, start) + (directive === '' ? '' : ` ${directive}`) + changed.slice(end)
  }, text)
}

interface Place {
  readonly node: FieldNode
  /** Whether there is a `@read` further up, for another relation or for all of them. */
  readonly below: boolean
}

function placesOf(text: string, schema: GraphQLSchema, coordinate: string, operationName?: string | null): Place[] {
  const [typeName = '', fieldName] = coordinate.split('.')
  const type = schema.getType(typeName)
  const types = new TypeInfo(schema)
  const places: Place[] = []
  const document = parsed(text)
  if (!document) return []
  visit(document, visitWithTypeInfo(types, {
    OperationDefinition: ({ name }) => (operationName && name && name.value !== operationName ? false : undefined),
    Field(node, _key, _parent, _path, ancestors) {
      const parent = types.getParentType()
      const fits = parent?.name === typeName || (isAbstractType(parent) && isObjectType(type) && schema.isSubType(parent, type))
      if (!fits || node.name.value !== fieldName) return
      const others = ancestors.filter((above) => 'kind' in above && !places.some((place) => place.node === above))
      places.push({ node, below: others.some((above) => readOn(above as ASTNode) !== undefined) })
    },
  }))
  return places
}

function wayOf(node: FieldNode): Way | undefined {
  const given = new Map(readOn(node)?.arguments?.map(({ name, value }) => [name.value, print(value)]))
  const from = given.get('from') ?? 'AUTO'
  if (from !== 'AUTO') return from === 'REFERENCE' ? from : undefined
  const maxStaleMs = given.get('maxStaleMs')
  return maxStaleMs === undefined ? 'AUTO' : maxStaleMs === '0' ? 'FRESH' : undefined
}

function readOn(node: ASTNode): DirectiveNode | undefined {
  const { directives } = node as FieldNode | OperationDefinitionNode
  return node.kind === Kind.FIELD || node.kind === Kind.OPERATION_DEFINITION ? directives?.find(({ name }) => name.value === 'read') : undefined
}

/** Where `@read` is, with the space before it, or where it belongs: behind everything but what is selected. */
function spanOfRead(text: string, node: FieldNode): [start: number, end: number] {
  const read = readOn(node)?.loc
  if (read) return [text.slice(0, read.start).trimEnd().length, read.end]
  let token = node.selectionSet?.loc?.startToken.prev ?? node.loc!.endToken
  while (token.kind === TokenKind.COMMENT) token = token.prev!
  return [token.end, token.end]
}

function startOf(node: FieldNode): number {
  return node.loc!.start
}

/** Operations are edited while they are looked at: half-written ones have no places. */
function parsed(text: string): DocumentNode | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
