// Every position in a schema where a client can put a value: each argument of each reachable field, and each field of its
// input types. Found by walking the schema, so that a new field is attacked from the start.

import {
  getNamedType, isInputObjectType, isInterfaceType, isLeafType, isObjectType, isRequiredArgument, isUnionType,
  type GraphQLArgument, type GraphQLField, type GraphQLInputType, type GraphQLNamedType, type GraphQLOutputType, type GraphQLSchema,
} from 'graphql'

/** A path of fields from the root. */
export interface Way {
  readonly operation: 'query' | 'mutation' | 'subscription'
  readonly trail: readonly GraphQLField<unknown, unknown>[]
}

/** An argument of the path's last field, or a field inside it. */
export interface Place extends Way {
  readonly argument: GraphQLArgument
  /** Input field names from the argument down to the value. */
  readonly path: readonly string[]
  readonly type: GraphQLInputType
  /** Its name in a report. */
  readonly name: string
}

/** All positions, including whole input objects. */
export function placesOf(schema: GraphQLSchema): Place[] {
  return referencePathsOf(schema).flatMap(({ operation, trail }) => {
    const field = trail.at(-1)!
    return field.args.flatMap((argument) => inside(argument.type).map(({ path, type }): Place => (
      { operation, trail, argument, path, type, name: `${operation} ${trail.map(({ name }) => name).join('.')}(${[argument.name, ...path].join('.')})` })))
  })
}

/** Whether it takes a text. */
export function takesText({ type }: Pick<Place, 'type'>): boolean {
  const { name } = getNamedType(type)
  return name === 'String' || name === 'ID'
}

/** A shortest path to every field with arguments, once for each type that has it. */
function referencePathsOf(schema: GraphQLSchema): Way[] {
  const found: Way[] = []
  for (const [operation, root] of [['query', schema.getQueryType()], ['mutation', schema.getMutationType()], ['subscription', schema.getSubscriptionType()]] as const) {
    const seen = new Set<string>()
    let level = root ? [{ type: root as GraphQLNamedType, trail: [] as readonly GraphQLField<unknown, unknown>[] }] : []
    while (level.length > 0) {
      const next: typeof level = []
      for (const { type, trail } of level) {
        if (seen.has(type.name) || !(isObjectType(type) || isInterfaceType(type))) continue
        seen.add(type.name)
        for (const field of Object.values(type.getFields())) {
          const further = [...trail, field]
          if (field.args.length > 0) found.push({ operation, trail: further })
          if (operation === 'query' || trail.length === 0) next.push({ type: getNamedType(field.type), trail: further })
        }
      }
      level = next
    }
  }
  return found
}

const mostSteps = 7
const knownWays = new WeakMap<GraphQLSchema, Map<string, readonly Way[]>>()

/** Every path to documents of a type that visits no other type twice, and the type itself at most once before its end. */
export function waysTo(schema: GraphQLSchema, type: string): readonly Way[] {
  const known = knownWays.get(schema) ?? new Map<string, readonly Way[]>()
  knownWays.set(schema, known)
  let ways = known.get(type)
  if (!ways) known.set(type, (ways = [...waysFrom(schema, 'query', type), ...waysFrom(schema, 'mutation', type), ...waysFrom(schema, 'subscription', type)]))
  return ways
}

function* waysFrom(schema: GraphQLSchema, operation: Way['operation'], type: string): Generator<Way> {
  const root = { query: schema.getQueryType(), mutation: schema.getMutationType(), subscription: schema.getSubscriptionType() }[operation]
  const pending = root ? [{ at: root as GraphQLNamedType, trail: [] as Way['trail'], seen: [] as readonly string[] }] : []
  for (let next; (next = pending.pop());) {
    const { at, trail, seen } = next
    if (!isObjectType(at) || trail.length === mostSteps) continue
    for (const field of Object.values(at.getFields())) {
      const named = getNamedType(field.type)
      const further = [...trail, field]
      if (named.name === type) yield { operation, trail: further }
      if (seen.filter((name) => name === named.name).length <= (named.name === type ? 1 : 0)) pending.push({ at: named, trail: further, seen: [...seen, named.name] })
    }
  }
}

/** The value and everything inside it; recursive types are entered twice. */
function inside(type: GraphQLInputType, path: readonly string[] = [], above: readonly string[] = []): { path: readonly string[]; type: GraphQLInputType }[] {
  const named = getNamedType(type)
  const here = [{ path, type }]
  if (!isInputObjectType(named) || above.filter((name) => name === named.name).length > 1) return here
  return [...here, ...Object.values(named.getFields()).flatMap((field) => inside(field.type, [...path, field.name], [...above, named.name]))]
}

/** A selection that needs no arguments: the leaves of a type, or those one level deeper. */
export function selectionOf(type: GraphQLOutputType, deep = true): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  if (isUnionType(named)) return ' { __typename }'
  const fields = Object.values((named as Extract<GraphQLNamedType, { getFields(): object }>).getFields()) as GraphQLField<unknown, unknown>[]
  const asked = fields.filter((field) => !field.args.some(isRequiredArgument)).flatMap((field) => {
    if (isLeafType(getNamedType(field.type))) return [field.name]
    return deep && field.args.length === 0 ? [`${field.name}${selectionOf(field.type, false)}`] : []
  })
  return ` { ${['__typename', ...asked].join(' ')} }`
}
