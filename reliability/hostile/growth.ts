// Operations that go round the cycles of a schema: each round multiplies the rows of the answer. Cycles are found by walking
// the schema, so that a new relation is attacked from the start.

import { getNamedType, isAbstractType, isInterfaceType, isObjectType, isRequiredArgument, type GraphQLField, type GraphQLNamedType, type GraphQLSchema } from 'graphql'

/** A field, written below a value of `on`; with a fragment where that is only one of the possible types. */
interface Step {
  readonly on: string | undefined
  readonly field: GraphQLField<unknown, unknown>
}

/** From a root field to a type, and from there by other fields back to the same type. */
export interface Cycle {
  readonly entry: readonly Step[]
  readonly round: readonly Step[]
  readonly name: string
}

/** Every cycle without a smaller one inside, once for each root field that leads to it first. */
export function cyclesOf(schema: GraphQLSchema): Cycle[] {
  const cycles: Cycle[] = []
  const walk = (type: GraphQLNamedType, types: readonly string[], steps: readonly Step[]): void => {
    const seen = types.indexOf(type.name)
    if (seen >= 0) {
      const [entry, round] = [steps.slice(0, seen + 1), steps.slice(seen + 1)]
      cycles.push({ entry, round, name: steps.map(({ field }) => field.name).join('.') })
      return
    }
    for (const step of stepsFrom(schema, type)) walk(getNamedType(step.field.type), [...types, type.name], [...steps, step])
  }
  for (const field of Object.values(schema.getQueryType()!.getFields())) walk(getNamedType(field.type), [], [{ on: undefined, field }])
  // Round the same fields, whichever root leads there: one of them is enough, and one for `node`.
  return [...new Map(cycles.map((cycle) => [`${cycle.entry.length} ${cycle.entry[0]!.field.name === 'node'} ${cycle.round.map(({ on, field }) => `${on ?? ''}.${field.name}.${getNamedType(field.type).name}`).join()}`, cycle])).values()]
}

export interface Growing {
  /** How many fields are below each other. */
  readonly depth: number
  /** How often each field is asked, by aliases. */
  readonly width?: number
  /** The arguments of a field. */
  readonly argumentsOf: (field: GraphQLField<unknown, unknown>) => string
}

/** The operation that goes round a cycle. */
export function goingRound({ entry, round }: Cycle, { depth, width = 1, argumentsOf }: Growing): string {
  const steps = [...entry]
  while (steps.length < depth) steps.push(round[(steps.length - entry.length) % round.length]!)
  let text = '__typename'
  for (const { on, field } of steps.toReversed()) {
    const asked = Array.from({ length: width }, (_, at) => `${width > 1 ? `a${at}: ` : ''}${field.name}${argumentsOf(field)} { ${text} }`).join(' ')
    text = on === undefined ? asked : `... on ${on} { ${asked} }`
  }
  return `{ ${text} }`
}

/** Arguments that ask for as much as they can, of documents with the ids 0, 1, 2, … and this global id. */
export function growingArguments(nodeId: string | undefined): Growing['argumentsOf'] {
  return ({ args: [first] }) => {
    if (first?.name === 'id') return '(id: "0")'
    if (first?.name === 'nodeId') return `(nodeId: "${nodeId}")`
    if (first && isRequiredArgument(first)) return `(${first.name}: "0")`
    return first?.name === 'first' ? '(first: 1000)' : ''
  }
}

/** The fields of a type that lead to other objects, and to which nothing has to be given but an id. */
function stepsFrom(schema: GraphQLSchema, type: GraphQLNamedType): Step[] {
  const own = isObjectType(type) || isInterfaceType(type) ? leadingOn(type).map((field) => ({ on: undefined, field })) : []
  if (!isAbstractType(type)) return own
  const names = new Set(own.map(({ field }) => field.name))
  return [...own, ...schema.getPossibleTypes(type).flatMap((possible) => leadingOn(possible).filter(({ name }) => !names.has(name)).map((field) => ({ on: possible.name, field })))]
}

function leadingOn(type: { getFields(): Record<string, GraphQLField<unknown, unknown>> }): GraphQLField<unknown, unknown>[] {
  return Object.values(type.getFields()).filter((field) => !field.name.startsWith('__') && field.name !== 'edges' && 'getFields' in getNamedType(field.type) || isAbstractType(getNamedType(field.type))).filter((field) => !field.args.some(isRequiredArgument))
}
