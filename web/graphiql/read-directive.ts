// Sets `@read` on one relation everywhere in an operation. The text is edited in place, so that comments and whitespace stay.

import {
  isAbstractType, isObjectType, Kind, parse, print, TokenKind, TypeInfo, visit, visitWithTypeInfo,
  type ASTNode, type DirectiveNode, type DocumentNode, type FieldNode, type GraphQLSchema, type OperationDefinitionNode,
} from 'graphql'

/** The gateway chooses; always a lookup; the snapshot only if it is proved current. */
export type ReadMode = 'AUTO' | 'REFERENCE' | 'FRESH'

const directiveOf: Record<ReadMode, string> = { AUTO: '@read(from: AUTO)', REFERENCE: '@read(from: REFERENCE)', FRESH: '@read(maxStaleMs: 0)' }

/** The mode that the operation sets for a relation; undefined if it sets another one, or several. */
export function readModeOf(text: string, schema: GraphQLSchema, coordinate: string, operationName?: string | null): ReadMode | undefined {
  const modes = new Set(selectionsOf(text, schema, coordinate, operationName).map(({ node }) => modeOf(node)))
  return modes.size === 1 ? [...modes][0] : undefined
}

/** The operation with the mode set for the relation; undefined if it does not select the relation. */
export function setReadMode(mode: ReadMode, text: string, schema: GraphQLSchema, coordinate: string, operationName?: string | null): string | undefined {
  const selected = selectionsOf(text, schema, coordinate, operationName)
  if (selected.length === 0) return undefined
  // From the end, so that positions before an edit stay valid.
  return selected.toSorted((one, other) => startOf(other.node) - startOf(one.node)).reduce((changed, { node, below }) => {
    // Below another @read, AUTO must be explicit, or the outer one would apply.
    const directive = mode === 'AUTO' && !below ? '' : directiveOf[mode]
    const [start, end] = spanOfRead(changed, node)
    return changed.slice(0, start) + (directive === '' ? '' : ` ${directive}`) + changed.slice(end)
  }, text)
}

interface Selected {
  readonly node: FieldNode
  /** Whether an ancestor has `@read`. */
  readonly below: boolean
}

function selectionsOf(text: string, schema: GraphQLSchema, coordinate: string, operationName?: string | null): Selected[] {
  const [typeName = '', fieldName] = coordinate.split('.')
  const type = schema.getType(typeName)
  const types = new TypeInfo(schema)
  const selected: Selected[] = []
  const document = parsed(text)
  if (!document) return []
  visit(document, visitWithTypeInfo(types, {
    OperationDefinition: ({ name }) => (operationName && name && name.value !== operationName ? false : undefined),
    Field(node, _key, _parent, _path, ancestors) {
      const parent = types.getParentType()
      const fits = parent?.name === typeName || (isAbstractType(parent) && isObjectType(type) && schema.isSubType(parent, type))
      if (!fits || node.name.value !== fieldName) return
      const others = ancestors.filter((above) => 'kind' in above && !selected.some((each) => each.node === above))
      selected.push({ node, below: others.some((above) => readOn(above as ASTNode) !== undefined) })
    },
  }))
  return selected
}

function modeOf(node: FieldNode): ReadMode | undefined {
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

/** The range of `@read` with the space before it, or where to insert it: before the selection set. */
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

/** Undefined while the user is still typing and the text has syntax errors. */
function parsed(text: string): DocumentNode | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
