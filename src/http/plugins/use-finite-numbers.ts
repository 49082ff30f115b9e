// Refuses numbers in documents that are larger than any that can be stored or compared with. Of variables GraphQL.js
// refuses them itself; of what is written in a document it makes infinity, which JSON then writes as null.

import { GraphQLError, type ASTVisitor, type FloatValueNode, type IntValueNode, type ValidationContext } from 'graphql'
import type { Plugin } from 'graphql-yoga'

export function useFiniteNumbers(): Plugin {
  return {
    onValidate({ addValidationRule }) {
      addValidationRule(FiniteNumbersRule)
    },
  }
}

function FiniteNumbersRule(context: ValidationContext): ASTVisitor {
  const check = (node: IntValueNode | FloatValueNode): void => {
    if (!Number.isFinite(Number(node.value))) context.reportError(new GraphQLError(`${node.value.slice(0, 20)}${node.value.length > 20 ? '…' : ''} is too large for a number.`, { nodes: [node] }))
  }
  return { IntValue: check, FloatValue: check }
}
