// How code gets the value of a field from its row, whichever form the row has.

import { isListType, isNonNullType, type GraphQLAbstractType, type GraphQLOutputType } from 'graphql'
import type { Body } from '../../../model/json/json.ts'
import type { PlanNode } from '../../../plan/plan.ts'
import { Copy } from '../../../relations/kind.ts'
import type { StoredDocument } from '../../../store/store.ts'
import type { AnswerLimits } from '../../answer/answer-too-large.ts'
import type { Shape } from '../field-writer.ts'
import { GiveUp } from '../json-writer.ts'
import type { Run } from '../run.ts'
import type { Step, Steps } from './steps.ts'

/**
 * `own`: what Quire's resolvers return, documents and the bodies of contained objects. `copy`: the bodies of snapshots.
 * `any`: what the schema's own resolvers return.
 */
export type Form = 'own' | 'copy' | 'any'

export type ValueStep = Exclude<Step, { lookUpAll: unknown } | { listing: unknown } | { byId: unknown }>

/** The value of a field, for code outside of a row's. */
export function valueIn(step: ValueStep, steps: Steps, { coordinate, written }: PlanNode, parent: string, list: boolean, form: Form): (row: never) => unknown {
  const [name, plain] = [written[0]!.name.value, steps.plain.get(coordinate)]
  if (form === 'copy' && steps.documents.has(parent)) return (row: Body) => ('plain' in step ? plain!(new Copy(row) as never) : row[name])
  if ('plain' in step || (form === 'any' && plain)) return plain!
  const bodyOf = bodyIn(steps, parent, form)
  if ('property' in step) return (row) => bodyOf(row)[step.property]
  if ('value' in step) return (row) => step.value(bodyOf(row))
  return (row) => (list ? step.copies(bodyOf(row)) : step.copies(bodyOf(row))[0] ?? null)
}

/** The body of a row of a type. */
export function bodyIn({ documents }: Steps, type: string, form: Form): (row: never) => Body {
  return documents.has(type) && form !== 'copy' ? (row: StoredDocument | Copy) => row.body : (row: Body) => row
}

/** Names the type of a value of an interface or union. */
export function typeOf(type: GraphQLAbstractType): (value: unknown, run: Run) => string {
  return (value, { context }) => {
    const name = type.resolveType?.(value, context, undefined as never, type)
    if (typeof name !== 'string') throw new GiveUp('The type of a value cannot be told.')
    return name
  }
}

/** The value of a field without a resolver. */
export function propertyOf(row: Record<string, unknown>, name: string): unknown {
  const value = row[name]
  if (typeof value === 'function' || value instanceof Promise || value instanceof Error) throw new GiveUp('A value is a function, a promise or an error.')
  return value
}

/** What a field makes of the documents that it points at. */
export function shapeOf(type: GraphQLOutputType, node: PlanNode, { bytes: maxBytes }: AnswerLimits): Shape {
  const inner = nullable(type)
  return isListType(inner) ? { list: true, required: isNonNullType(inner.ofType), node, maxBytes } : { list: false, required: isNonNullType(type), node, maxBytes }
}

export function nullable(type: GraphQLOutputType): GraphQLOutputType {
  return isNonNullType(type) ? type.ofType : type
}
