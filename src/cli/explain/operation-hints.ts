// What to do about a mistake in an operation, where graphql's own message does not say.

import { Kind, type ASTNode, type GraphQLError, type GraphQLSchema } from 'graphql'

/** Names that are listed in a hint; more than these nobody reads. */
const mostNames = 12

export function hintFor(schema: GraphQLSchema, { message, nodes }: GraphQLError): string {
  if (message.includes('Did you mean')) return ''
  const [, field, typeName] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message) ?? []
  const type = typeName === undefined ? undefined : schema.getType(typeName)
  if (field !== undefined && type && 'getFields' in type) return `It has ${listed(Object.keys(type.getFields()))}.`
  const [, argument, owner, of] = /^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"/.exec(message) ?? []
  const holder = owner === undefined ? undefined : schema.getType(owner)
  if (argument !== undefined && holder && 'getFields' in holder) {
    const known = holder.getFields()[of!]
    return known && 'args' in known && known.args.length > 0 ? `It takes ${listed(known.args.map(({ name }) => name))}.` : 'It takes none.'
  }
  if (/must have a selection of subfields/.test(message)) return ''
  const unused = nodes?.find((node): node is ASTNode & { kind: Kind.VARIABLE_DEFINITION } => node.kind === Kind.VARIABLE_DEFINITION)
  if (/is never used/.test(message)) return unused ? 'Use it, or take it out.' : 'Spread it somewhere, or take it out.'
  return ''
}

function listed(names: readonly string[]): string {
  return names.length <= mostNames ? names.join(', ') : `${names.slice(0, mostNames).join(', ')} and ${names.length - mostNames} more`
}
