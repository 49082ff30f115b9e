// Hints for mistakes in an operation, if graphql's own message has none.

import { Kind, type ASTNode, type GraphQLError, type GraphQLSchema } from 'graphql'

/** Longer lists of names do not help. */
const maxNames = 12

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
  if (/is never used/.test(message)) return unused ? 'Use it, or remove it.' : 'Spread it, or remove it.'
  return ''
}

function listed(names: readonly string[]): string {
  return names.length <= maxNames ? names.join(', ') : `${names.slice(0, maxNames).join(', ')} and ${names.length - maxNames} more`
}
