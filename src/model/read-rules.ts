// Reads the rules of a schema: `@readable` and `@writable`. A rule in a place where Quire would never apply it is
// rejected here, because it would protect nothing. check-rules.ts checks what a rule says.

import { getDirectiveValues, isInterfaceType, isObjectType, isUnionType, type ConstDirectiveNode, type GraphQLSchema } from 'graphql'
import type { Rule } from './rule.ts'

type Word = 'readable' | 'writable'

/** The rule that a type or a field declares with that directive, including extensions of the type. */
export function readRule(schema: GraphQLSchema, on: Ruled, word: Word): Rule | undefined {
  const definition = schema.getDirective(word)
  const directives = [on.astNode, ...(on.extensionASTNodes ?? [])].flatMap((node) => node?.directives ?? [])
  const values = definition && getDirectiveValues(definition, { directives })
  if (!values) return undefined
  return { by: (values['by'] as Rule['by'] | null) ?? undefined, roles: (values['roles'] as string[] | null | undefined) ?? [], owner: (values['owner'] as string | null | undefined) ?? undefined }
}

/** A type or a field: what a rule can be on. */
interface Ruled {
  readonly astNode?: Directed | null | undefined
  readonly extensionASTNodes?: readonly Directed[]
}

interface Directed {
  readonly directives?: readonly ConstDirectiveNode[] | undefined
}

/** The rules of the root fields that the schema itself adds, by `Type.field`. */
export function readRootRules(schema: GraphQLSchema): Map<string, Rule> {
  return new Map(rootsOf(schema).flatMap(({ type, word }) => Object.values(type.getFields()).flatMap((field) => {
    const rule = readRule(schema, field, word)
    return rule ? [[`${type.name}.${field.name}`, rule] as const] : []
  })))
}

/** The problems of rules that would never be applied. `own` are the types that hold data. */
export function misplacedRules(schema: GraphQLSchema, own: ReadonlySet<string>): string[] {
  const roots = new Map(rootsOf(schema).map(({ type, word }) => [type.name, word]))
  return Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__')).flatMap((type) => {
    const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []
    const word = roots.get(type.name)
    const onType = own.has(type.name) ? [] : (['readable', 'writable'] as const).filter((each) => (isObjectType(type) || isInterfaceType(type) || isUnionType(type)) && readRule(schema, type, each))
    return [
      ...onType.map((each) => `${type.name}: @${each} is for types that hold data. ${word ? `Put @${word} on the fields of ${type.name}.` : 'Put it on the types of its fields.'}`),
      ...fields.flatMap((field) => (['readable', 'writable'] as const).flatMap((each) => {
        if (!readRule(schema, field, each) || word === each || (word === undefined && each === 'readable' && own.has(type.name))) return []
        const name = `${type.name}.${field.name}`
        if (word === 'writable') return [`${name}: @readable does not apply to mutations. Declare who may call it with @writable.`]
        if (word === 'readable') return [`${name}: @writable is for mutations, and this field only reads. Declare who may read it with @readable.`]
        return own.has(type.name) ? [`${name}: documents are written as a whole, so a field cannot be @writable. Put @writable on ${type.name} or on a field of Mutation.`] : [`${name}: @${each} is for types that hold data, and ${type.name} holds none of its own. Put it on the type of the field.`]
      })),
    ]
  })
}

function rootsOf(schema: GraphQLSchema) {
  const roots = [[schema.getQueryType(), 'readable'], [schema.getMutationType(), 'writable'], [schema.getSubscriptionType(), 'readable']] as const
  return roots.flatMap(([type, word]) => (type ? [{ type, word }] : []))
}
