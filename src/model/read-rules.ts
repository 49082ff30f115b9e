// Rules out of the SDL: `@readable` and `@writable`, wherever they stand. Standing where nothing would ever
// look at them, they would protect nothing, so that is refused here; whether they make sense is checked elsewhere.

import { getDirectiveValues, isInterfaceType, isObjectType, isUnionType, type ConstDirectiveNode, type GraphQLSchema } from 'graphql'
import type { Rule } from './rule.ts'

type Word = 'readable' | 'writable'

/** The rule that a type or a field declares with that word, also where the type is extended. */
export function readRule(schema: GraphQLSchema, on: Ruled, word: Word): Rule | undefined {
  const definition = schema.getDirective(word)
  const directives = [on.astNode, ...(on.extensionASTNodes ?? [])].flatMap((node) => node?.directives ?? [])
  const values = definition && getDirectiveValues(definition, { directives })
  if (!values) return undefined
  return { by: (values['by'] as Rule['by'] | null) ?? undefined, roles: (values['roles'] as string[] | null | undefined) ?? [], owner: (values['owner'] as string | null | undefined) ?? undefined }
}

/** What rules can stand on. */
interface Ruled {
  readonly astNode?: Directed | null | undefined
  readonly extensionASTNodes?: readonly Directed[]
}

interface Directed {
  readonly directives?: readonly ConstDirectiveNode[] | undefined
}

/** The rules of root fields that the schema adds by itself, by `Type.field`. */
export function readRootRules(schema: GraphQLSchema): Map<string, Rule> {
  return new Map(rootsOf(schema).flatMap(({ type, word }) => Object.values(type.getFields()).flatMap((field) => {
    const rule = readRule(schema, field, word)
    return rule ? [[`${type.name}.${field.name}`, rule] as const] : []
  })))
}

/** Rules that nothing looks at. `own` are the types that hold data. */
export function misplacedRules(schema: GraphQLSchema, own: ReadonlySet<string>): string[] {
  const roots = new Map(rootsOf(schema).map(({ type, word }) => [type.name, word]))
  return Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__')).flatMap((type) => {
    const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []
    const word = roots.get(type.name)
    const onType = own.has(type.name) ? [] : (['readable', 'writable'] as const).filter((each) => (isObjectType(type) || isInterfaceType(type) || isUnionType(type)) && readRule(schema, type, each))
    return [
      ...onType.map((each) => `${type.name}: @${each} goes on a type that holds data${word ? `. Put @${word} on the fields of ${type.name}.` : ', and this one only carries others. Put it on the types that it carries.'}`),
      ...fields.flatMap((field) => (['readable', 'writable'] as const).flatMap((each) => {
        if (!readRule(schema, field, each) || word === each || (word === undefined && each === 'readable' && own.has(type.name))) return []
        const name = `${type.name}.${field.name}`
        if (word === 'writable') return [`${name}: who may call a mutation is said with @writable.`]
        if (word === 'readable') return [`${name} writes nothing. Say who may ask for it with @readable.`]
        return own.has(type.name) ? [`${name}: @writable goes on a type or on a field of Mutation. Documents are written as a whole.`] : [`${name}: @${each} goes on a field of a type that holds data, and ${type.name} only carries others.`]
      })),
    ]
  })
}

function rootsOf(schema: GraphQLSchema) {
  const roots = [[schema.getQueryType(), 'readable'], [schema.getMutationType(), 'writable'], [schema.getSubscriptionType(), 'readable']] as const
  return roots.flatMap(([type, word]) => (type ? [{ type, word }] : []))
}
