// Rejects `__schema` and `__type`. `__typename` stays: clients need it, and it reveals only types they can read.

import type { ASTVisitor, FieldNode, ValidationContext } from 'graphql'
import { httpError } from '../../graphql-errors.ts'

export function NoIntrospectionRule(context: ValidationContext): ASTVisitor {
  return {
    Field(node: FieldNode) {
      const name = node.name.value
      if (name !== '__schema' && name !== '__type') return
      context.reportError(httpError('INTROSPECTION_DISABLED', `Introspection is disabled: ${name} is not answered. Ask the operator for the schema: "quire schema" prints it.`, { nodes: [node] }))
    },
  }
}
