// The error for a viewer whom a rule does not allow something. It names the roles that the rule asks for, and is the same
// whether or not any document is there.

import { GraphQLError, type ASTNode } from 'graphql'
import { generatedMutationAt } from '../model/api/generated-mutations.ts'
import { fieldAt, objectType, type Model, type ObjectType } from '../model/model.ts'
import { shownBy, type Rule } from '../model/rule.ts'
import { verdictOf } from './rule-verdict.ts'
import type { Viewer } from './viewer.ts'

export interface RefusalOptions {
  readonly model: Model
  readonly viewer: Viewer | undefined
  /** Whether authentication is configured. */
  readonly identifies: boolean
  /** A type, `Type.field` or `Mutation.field`. */
  readonly coordinate: string
  /** The type that the field leads to, where the coordinate alone does not tell. */
  readonly target?: ObjectType | undefined
  readonly nodes?: readonly ASTNode[] | undefined
}

export function createRefusal({ model, viewer, identifies, coordinate, target, nodes }: RefusalOptions): GraphQLError {
  const [code, message] = viewer ? ['FORBIDDEN', `Forbidden: ${coordinate} ${requirement(rulesBehind(model, coordinate, target), viewer)}.`] : ['UNAUTHENTICATED', anonymousMessage(coordinate, identifies)]
  return new GraphQLError(message, { extensions: { code }, ...(nodes ? { nodes } : {}) })
}

function anonymousMessage(coordinate: string, identifies: boolean): string {
  if (identifies) return `Unauthenticated: ${coordinate} requires a signed-in viewer. Send a bearer token.`
  if (coordinate.startsWith('Mutation.')) return 'Writes are closed: this gateway has no authentication. The operator has to configure authentication and rules.'
  return `Unauthenticated: ${coordinate} requires a signed-in viewer, and this gateway has no authentication. The operator has to configure it.`
}

/** `requires role hr or admin`, of the first rule that refuses the viewer. */
function requirement(rules: readonly Rule[], viewer: Viewer): string {
  const rule = rules.find((each) => verdictOf(each, viewer) === 'refused') ?? rules.find((each) => verdictOf(each, viewer) === 'own')
  const { roles = [], owner } = rule ?? {}
  const required = [...(owner === undefined ? [] : ['its owner']), ...(roles.length === 0 ? [] : [`role ${roles.join(' or ')}`])]
  return required.length === 0 ? 'is not allowed for this viewer' : `requires ${required.join(' or ')}`
}

/** The rules that protect a coordinate: its own, and those of the types that it leads to or writes. */
function rulesBehind(model: Model, coordinate: string, target: ObjectType | undefined): Rule[] {
  const [owner = ''] = coordinate.split('.')
  const field = fieldAt(model, coordinate)
  const readable = [field, ...(field ? shownBy(model, field) : []), objectType(model, owner), target].map((each) => each?.readable)
  return [model.roots.get(coordinate), generatedMutationAt(model, coordinate)?.type.writable, ...readable].filter((rule) => rule !== undefined)
}
