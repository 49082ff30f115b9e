// Holds every document and every value against the limits before anything is done with them, and keeps
// what the schema is to itself where it should.

import { validate, type GraphQLSchema, type DocumentNode, type ValidationRule } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { beyondLimit, type Limits } from '../limits/limits.ts'
import { isNestedBeyond } from '../limits/nesting.ts'
import { NoIntrospectionRule } from '../limits/no-introspection.ts'
import { parseWithin } from '../limits/parse-within.ts'

export interface LimitsOptions {
  readonly limits: Limits
  readonly introspection: boolean
  /** Whether mistakes are answered with the names that were probably meant. */
  readonly suggestions: boolean
}

/** After so many mistakes the others are not looked for. */
const mostMistakes = 20

export function useLimits({ limits, introspection, suggestions }: LimitsOptions): Plugin {
  const validateQuietly = (schema: GraphQLSchema, document: DocumentNode, rules: readonly ValidationRule[]) => {
    const mistakes = validate(schema, document, rules, { maxErrors: mostMistakes, hideSuggestions: !suggestions })
    // One rule suggests all the same.
    if (!suggestions) for (const mistake of mistakes) mistake.message = mistake.message.replace(/ Did you mean .*$/s, '')
    return mistakes
  }
  return {
    onParams({ params }) {
      const { variables, extensions } = params as { variables?: unknown; extensions?: unknown }
      for (const [name, value] of Object.entries({ variables, extensions })) {
        if (isNestedBeyond(value, limits.nesting)) throw beyondLimit(`The ${name} are nested more than ${limits.nesting} levels deep. Send flatter ones.`)
      }
    },
    onParse({ setParseFn }) {
      setParseFn((source: string) => parseWithin(source, limits))
    },
    onValidate({ addValidationRule, setValidationFn }) {
      if (!introspection) addValidationRule(NoIntrospectionRule)
      setValidationFn(validateQuietly as Parameters<typeof setValidationFn>[0])
    },
  }
}
