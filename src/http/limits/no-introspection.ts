// Refuses to tell what the schema is. Which type a value has is no secret: `__typename` stays.

import { GraphQLError, type ASTVisitor, type FieldNode, type ValidationContext } from 'graphql'
import type { ErrorCode } from '../../errors.ts'

export function NoIntrospectionRule(context: ValidationContext): ASTVisitor {
  return {
    Field(node: FieldNode) {
      const name = node.name.value
      if (name !== '__schema' && name !== '__type') return
      const extensions = { code: 'INTROSPECTION_DISABLED' satisfies ErrorCode, http: { spec: true, status: 400 } }
      context.reportError(new GraphQLError(`${name} is not answered here. Take the schema from who runs this gateway: "quire schema" prints it.`, { nodes: [node], extensions }))
    },
  }
}
