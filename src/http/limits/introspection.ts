// Rules about `__schema` and `__type`: rejected where introspection is off, otherwise limited, since each answer holds the
// whole schema and GraphQL.js makes it in one stretch. `__typename` stays: clients need it, and it reveals only types they can read.

import type { FieldNode, ValidationRule } from 'graphql'
import { httpError } from '../../graphql-errors.ts'
import { limitExceeded, type Limits } from './request-limits.ts'

export const NoIntrospectionRule: ValidationRule = (context) => ({
  Field(node) {
    if (isIntrospection(node)) context.reportError(httpError('INTROSPECTION_DISABLED', `Introspection is disabled: ${node.name.value} is not answered. Ask the operator for the schema: "quire schema" prints it.`, { nodes: [node] }))
  },
})

export function limitedIntrospection(limits: Limits): ValidationRule {
  return (context) => {
    let asked = 0
    return {
      Field(node) {
        if (isIntrospection(node) && ++asked === limits.introspections + 1) context.reportError(limitExceeded('introspections', limits, { nodes: [node] }))
      },
    }
  }
}

function isIntrospection({ name: { value } }: FieldNode): boolean {
  return value === '__schema' || value === '__type'
}
