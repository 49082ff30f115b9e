// Parses and validates documents for the fast path, by the limits and rules that Yoga's plugins apply. A document that fails
// is left to Yoga, which meets the same error and reports it.

import type { GraphQLSchema, ValidationRule } from 'graphql'
import type { ReadDocument } from '../../execute/operation.ts'
import type { HttpSettings } from '../http-options.ts'
import { FiniteNumbersRule } from './finite-numbers.ts'
import { limitedIntrospection, NoIntrospectionRule } from './introspection.ts'
import { parseWithin } from './parse-within.ts'
import type { Limits } from './request-limits.ts'
import { createRulesFor } from './rules-for.ts'
import { validateWithin } from './validate-within.ts'

/** Throws what the parser throws. */
export function documentReader(schema: GraphQLSchema, { limits, introspection }: Pick<HttpSettings, 'limits' | 'introspection'>): ReadDocument {
  const rulesFor = createRulesFor(ownRules(introspection, limits))
  return (text) => {
    const document = parseWithin(text, limits)
    return validateWithin(schema, document, rulesFor(text, document), { maxErrors: 1 }).length === 0 ? document : undefined
  }
}

/** What Quire checks beside the rules of GraphQL. */
export function ownRules(introspection: boolean, limits: Limits): ValidationRule[] {
  return [introspection ? limitedIntrospection(limits) : NoIntrospectionRule, FiniteNumbersRule]
}
