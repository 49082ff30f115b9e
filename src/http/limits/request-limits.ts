// How large, deep and repetitive a request may be, and how large its answer, as a table: to add a limit, add a line here, the
// check that calls `limitExceeded`, and a row in docs/production.md. The checks of a request run before anything is read, and take
// `steps` themselves; those of its answer run while it is made (execute/answer/).

import type { GraphQLError, GraphQLErrorOptions } from 'graphql'
import { httpError } from '../../graphql-errors.ts'
import { defaultMaxSteps, stepsExceeded } from '../../plan/request-steps.ts'

interface LimitFacts {
  readonly default: number
  /** What the number counts. */
  readonly counts: string
  /** `subject` is what exceeds the limit, where that differs from request to request. */
  readonly exceeded: (max: number, subject?: string) => string
  /** Protects the stack, so it holds even without limits. */
  readonly always?: true
}

/** The defaults are several times what people write by hand and what clients compile from their components. */
export const limitTable = {
  bodyBytes: {
    default: 100_000, counts: 'bytes of a request body',
    exceeded: (max) => `The request body has more than ${max} bytes. Send less at a time.`,
  },
  tokens: {
    default: 5000, counts: 'names, numbers, strings and punctuation of a document',
    exceeded: (max) => `The document has more than ${max} tokens. Ask for less at a time.`,
  },
  depth: {
    default: 30, counts: 'fields below each other, also through fragments',
    exceeded: (max) => `The operation is more than ${max} fields deep. Read the deeper documents by their ids.`,
  },
  nesting: {
    default: 100, counts: 'braces, brackets and fragments in each other; lists and objects in variables and extensions', always: true,
    exceeded: (max, subject = 'The document has') => `${subject} more than ${max} levels of nesting. Flatten it.`,
  },
  fields: {
    default: 2000, counts: 'fields of an operation, a fragment counted each time it is spread',
    exceeded: (max) => `The operation has more than ${max} fields, counting a fragment each time it is spread. Ask for less at a time.`,
  },
  aliases: {
    default: 200, counts: 'aliases of an operation, a fragment counted each time it is spread',
    exceeded: (max) => `The operation has more than ${max} aliases, counting a fragment each time it is spread. Ask for less at a time.`,
  },
  spreads: {
    default: 5000, counts: 'fragments of an operation, named and inline, one inside of another counted each time that is spread',
    exceeded: (max) => `The operation spreads more than ${max} fragments, counting those in a fragment each time it is spread. Ask for less at a time.`,
  },
  fragments: {
    default: 300, counts: 'fragments that a document defines; validation compares each with each',
    exceeded: (max) => `The document defines more than ${max} fragments. Ask for less at a time.`,
  },
  repeats: {
    default: 100, counts: 'selections of one response name in one selection set; validation compares each with each',
    exceeded: (max, subject) => `The operation selects ${subject} more than ${max} times at one place. Select it once.`,
  },
  steps: {
    default: defaultMaxSteps, counts: 'tokens, nodes and values that are visited while a request is parsed, measured, validated, coerced and planned',
    exceeded: stepsExceeded,
  },
  introspections: {
    default: 10, counts: 'fields __schema and __type of a document',
    exceeded: (max) => `The document asks for the schema more than ${max} times. Ask once.`,
  },
  answerBytes: {
    default: 10_000_000, counts: 'characters of the JSON of an answer',
    exceeded: (max) => `The answer has more than ${max} bytes. Ask for less at a time.`,
  },
  answerRows: {
    default: 100_000, counts: 'documents behind references in an answer, counted wherever they are shown; in traced answers and mutations all objects of lists',
    exceeded: (max) => `The answer has more than ${max} rows. Ask for less at a time.`,
  },
  directives: {
    default: 100, counts: 'directives in a document',
    exceeded: (max) => `The document has more than ${max} directives. Remove some.`,
  },
} as const satisfies Record<string, LimitFacts>

export type LimitName = keyof typeof limitTable

/**
 * The maximum size, depth and repetition of a request.
 *
 * @example
 * ```ts
 * const limits: Partial<Limits> = { depth: 8 }
 * ```
 */
export type Limits = { readonly [name in keyof typeof limitTable]: number }

export const defaultLimits = limitsOf((limit) => limit.default)

/** For operations that Quire runs itself. */
export const noLimits = limitsOf((limit) => (limit.always ? limit.default : Infinity))

/** `LIMIT_EXCEEDED`; GraphQL over HTTP decides by the media type whether its status is 400. */
export function limitExceeded(name: LimitName, limits: Limits, { subject, ...at }: ExceededOptions = {}): GraphQLError {
  return httpError('LIMIT_EXCEEDED', exceededMessage(name, limits, subject), at)
}

export function exceededMessage(name: LimitName, limits: Limits, subject?: string): string {
  const { exceeded }: LimitFacts = limitTable[name]
  return exceeded(limits[name], subject)
}

interface ExceededOptions extends Pick<GraphQLErrorOptions, 'nodes' | 'source' | 'positions'> {
  readonly subject?: string
}

function limitsOf(valueOf: (facts: LimitFacts) => number): Limits {
  return Object.fromEntries(Object.entries(limitTable).map(([name, facts]) => [name, valueOf(facts)])) as Limits
}
