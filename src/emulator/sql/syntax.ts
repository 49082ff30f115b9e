// What a parsed query is made of. Parameters are resolved while parsing, so only values are left here.

import type { TextFunction } from './text-functions.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** A path from an alias: c["a"]["b"]. A number is an array's position. */
export interface Ref {
  readonly alias: string
  readonly steps: readonly (string | number)[]
  /** As it was written, for query plans. */
  readonly text: string
}

export type Operand = { readonly kind: 'ref'; readonly ref: Ref } | { readonly kind: 'value'; readonly value: Json }

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='

export const typeChecks = ['IS_DEFINED', 'IS_NULL', 'IS_ARRAY', 'IS_OBJECT', 'IS_STRING', 'IS_NUMBER', 'IS_BOOL'] as const
export type TypeCheck = (typeof typeChecks)[number]

export type Condition =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'comparison'; readonly operator: Comparison; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'in'; readonly ref: Ref; readonly values: readonly Json[] }
  | { readonly kind: 'textFunction'; readonly name: TextFunction; readonly ref: Ref; readonly part: Json; readonly ignoresCase: boolean }
  | { readonly kind: 'typeCheck'; readonly check: TypeCheck; readonly ref: Ref }
  | { readonly kind: 'exists'; readonly loops: readonly Loop[]; readonly where: Condition | undefined }

/** FROM e IN c["tags"] */
export interface Loop {
  readonly alias: string
  readonly over: Ref
}

/** JOIN e IN (SELECT DISTINCT VALUE v["name"] FROM v IN c["tags"] {JOIN w IN v["more"]}) */
export interface DistinctJoin {
  readonly alias: string
  readonly value: Ref
  readonly loops: readonly Loop[]
}

export interface OrderItem {
  readonly ref: Ref
  readonly descending: boolean
}

/** What a row of the answer is made of, where it is not the document. */
export type Shape =
  | Operand
  | { readonly kind: 'object'; readonly entries: readonly (readonly [name: string, shape: Shape])[] }
  | { readonly kind: 'array'; readonly items: readonly Shape[] }

/**
 * What a row is. The rewritten kinds are what query plans ask the SDK to send to each physical partition:
 * they carry, beside the row, what the SDK needs to merge the rows of several partitions.
 */
export type Selection =
  | { readonly kind: 'documents'; readonly rewritten: boolean; readonly shape?: Shape; readonly distinct?: boolean }
  | { readonly kind: 'count'; readonly rewritten: boolean }
  | { readonly kind: 'groups'; readonly rewritten: boolean; readonly by: Ref; readonly found: string; readonly many: string }

export interface Query {
  readonly selection: Selection
  readonly top: number | undefined
  /** OFFSET … LIMIT … */
  readonly slice: { readonly offset: number; readonly limit: number } | undefined
  readonly root: string
  readonly join: DistinctJoin | undefined
  readonly where: Condition | undefined
  readonly orderBy: readonly OrderItem[]
  /** Pieces of the query's text, from which its plan is put together. */
  readonly text: { readonly select: string; readonly from: string; readonly where: string }
}
