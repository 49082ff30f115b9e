// Validates a document and counts the nodes that GraphQL.js visits for it, also those that a rule visits once for each operation.

import { validate, type DocumentNode, type GraphQLError, type GraphQLSchema, type ValidationContext, type ValidationRule } from 'graphql'
import { RequestSteps } from '../../plan/request-steps.ts'

export interface ValidateOptions {
  /** Validation stops after so many. */
  readonly maxErrors: number
  readonly hideSuggestions?: boolean
}

/** The errors of a document. Throws if it takes too many steps. */
export function validateWithin(schema: GraphQLSchema, document: DocumentNode, rules: readonly ValidationRule[], options: ValidateOptions): readonly GraphQLError[] {
  const steps = RequestSteps.after(document)
  const errors = validate(schema, document, [countingRule(steps), ...rules], options)
  // A document that is kept may be validated again, against another schema.
  if (!validated.has(document)) steps.noteFor(document)
  validated.add(document)
  return errors
}

const validated = new WeakSet<DocumentNode>()

/** It comes first, so that the other rules find a context that counts. */
function countingRule(steps: RequestSteps): ValidationRule {
  return (context) => {
    count(context, steps)
    return { enter: (node) => steps.take(1, node) }
  }
}

function count(context: ValidationContext, steps: RequestSteps): void {
  const usages = context.getRecursiveVariableUsages.bind(context)
  context.getRecursiveVariableUsages = (operation) => {
    const found = usages(operation)
    steps.take(found.length, operation)
    return found
  }
  // Where GraphQL.js counts by itself what it visits in fragments.
  context.spendFragmentWork = (cost) => steps.take(cost)
}
