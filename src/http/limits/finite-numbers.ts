// Rejects number literals that are too large for a double. GraphQL.js rejects them in variables, but reads a literal such
// as 1e999 in a document as Infinity, which JSON would then write as null.

import { GraphQLError, type ASTVisitor, type FloatValueNode, type IntValueNode, type ValidationContext } from 'graphql'

export function FiniteNumbersRule(context: ValidationContext): ASTVisitor {
  const check = (node: IntValueNode | FloatValueNode): void => {
    if (!Number.isFinite(Number(node.value))) context.reportError(new GraphQLError(`${node.value.slice(0, 20)}${node.value.length > 20 ? '…' : ''} is too large for a number. Use one below 1.8e308.`, { nodes: [node] }))
  }
  return { IntValue: check, FloatValue: check }
}
