// What a random operation is before it has a text: a tree of choices that can be shrunk piece by
// piece. Names of aliases, variables and fragments are not in it; write-operation.ts gives them.

import type { GraphQLInputType, GraphQLOutputType } from 'graphql'

export interface OperationTree {
  readonly directives: readonly DirectiveChoice[]
  readonly selections: readonly Selection[]
}

export type Selection = FieldChoice | FragmentChoice

export interface FieldChoice {
  readonly kind: 'field'
  readonly name: string
  readonly type: GraphQLOutputType
  /** The response key that is wished for. Another one is given where this one already means something else. */
  readonly alias: string | undefined
  readonly arguments: Arguments
  readonly directives: readonly DirectiveChoice[]
  /** Empty for a leaf. */
  readonly selections: readonly Selection[]
}

export interface FragmentChoice {
  readonly kind: 'inline' | 'named'
  /** The type condition; a named fragment always has one. */
  readonly on: string | undefined
  readonly directives: readonly DirectiveChoice[]
  readonly selections: readonly Selection[]
  /** A named fragment of the same number and type condition is written once and used again, where there is room for it. */
  readonly number: number
  readonly room: Room
}

export interface DirectiveChoice {
  readonly name: string
  readonly arguments: Arguments
}

export type Arguments = Readonly<Record<string, Given>>

/** A value, and how it gets into the operation. */
export interface Given {
  readonly type: GraphQLInputType
  /** In the text; in a variable that the request sends; or in a variable's default, and the request sends none. */
  readonly by: 'literal' | 'variable' | 'default'
  /** For an input object that is given as a literal, its fields; otherwise JSON. A variable without a value is not sent. */
  readonly value: unknown
  readonly fields?: Arguments
  /** A default that the value in the request overrides. */
  readonly overridden?: unknown
}

/** How much may still stand below a place, so that operations end and answers stay small. */
export interface Room {
  /** Levels of fields, those that only lead through a connection not counted. */
  readonly depth: number
  /** Rows below each row, roughly. */
  readonly rows: number
  /** Fragments inside fragments. */
  readonly fragments: number
}

export function fits(inner: Room, outer: Room): boolean {
  return inner.depth <= outer.depth && inner.rows <= outer.rows
}

/** The value as a request sends it. What would be a variable that is not sent is left out. */
export function jsonOf({ value, fields }: Given): unknown {
  if (!fields) return value
  const entries = Object.entries(fields).map(([name, field]) => [name, jsonOf(field)] as const)
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined))
}
