// Enforces the limits on documents and variables before anything else sees them, and hides the schema where
// introspection is off.

import { GraphQLError, type GraphQLSchema, type DocumentNode, type ValidationRule } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { limitExceeded, type Limits } from '../limits/request-limits.ts'
import { isNestedBeyond } from '../../model/json/json.ts'
import { parseWithin } from '../limits/parse-within.ts'
import { ownRules } from '../limits/read-document.ts'
import { validateWithin } from '../limits/validate-within.ts'

export interface LimitsOptions {
  readonly limits: Limits
  readonly introspection: boolean
  /** Whether validation errors suggest similar names ("Did you mean …?"). */
  readonly suggestions: boolean
}

/** Validation stops here. */
const maxErrors = 20

export function useLimits({ limits, introspection, suggestions }: LimitsOptions): Plugin {
  const more = ownRules(introspection, limits)
  const validate = (schema: GraphQLSchema, document: DocumentNode, rules: readonly ValidationRule[]): readonly GraphQLError[] => {
    const errors = orExceeded(() => validateWithin(schema, document, rules, { maxErrors, hideSuggestions: !suggestions }))
    // One rule of GraphQL.js ignores hideSuggestions.
    if (!suggestions) for (const error of errors) error.message = error.message.replace(/ Did you mean .*$/s, '')
    return errors
  }
  return {
    onParams({ params }) {
      const { variables, extensions } = params as { variables?: unknown; extensions?: unknown }
      for (const [name, value] of Object.entries({ variables, extensions })) {
        if (isNestedBeyond(value, limits.nesting)) throw limitExceeded('nesting', limits, { subject: `The ${name} have` })
      }
    },
    onParse({ setParseFn }) {
      setParseFn((source: string) => parseWithin(source, limits))
    },
    onValidate({ addValidationRule, setValidationFn }) {
      for (const rule of more) addValidationRule(rule)
      setValidationFn(validate as Parameters<typeof setValidationFn>[0])
    },
  }
}

/** A document that takes too many steps has an error like any other. */
function orExceeded(validate: () => readonly GraphQLError[]): readonly GraphQLError[] {
  try {
    return validate()
  } catch (error) {
    if (error instanceof GraphQLError) return [error]
    throw error
  }
}
