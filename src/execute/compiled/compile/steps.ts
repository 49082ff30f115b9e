// How compiled code gets the fields of the model: from the row, or for all rows of a level at once. A field without a step
// is resolved row by row by its resolver, whether Quire's or the schema's own.

import type { Body } from '../../../model/json/json.ts'
import type { ObjectType } from '../../../model/model.ts'
import type { PlanNode } from '../../../plan/plan.ts'
import type { Reads } from '../../../read/reads.ts'
import type { Declaration } from '../../../relations/declaration.ts'
import type { LookedUpLevel, Relation } from '../../../relations/kind.ts'
import type { MaybePending } from '../../../store/maybe-promise.ts'
import { edgeValues } from '../../connection.ts'
import { containedValues, documentValues, type Plain } from '../../field-values.ts'

export type Step =
  /** A property of the body of a row. */
  | { readonly property: string }
  /** A value that follows from the body of a row. */
  | { readonly value: (body: Body) => unknown }
  /** A value that follows from the row as resolvers see it. */
  | { readonly plain: Plain<never> }
  /** The snapshots in the body of a row. */
  | { readonly copies: (body: Body) => readonly Body[] }
  /** Documents, looked up for all rows at once; by the row's code where the store has them in this process and `points` tells their ids. */
  | { readonly lookUpAll: (bodies: readonly Body[], reads: Reads) => MaybePending<LookedUpLevel>; readonly points: Relation['points'] }

export interface Steps {
  /** The step of a field, as the plan has chosen. */
  readonly at: (node: PlanNode) => Step | undefined
  /** The values that resolvers read from rows of any form, by `Type.field`. */
  readonly plain: ReadonlyMap<string, Plain<never>>
  /** The names of types whose rows are documents. */
  readonly documents: ReadonlySet<string>
  /** The names of connection types: their fields show what one read has found. */
  readonly connections: ReadonlySet<string>
  /** The fields with resolvers of the schema's own. They have no steps. */
  readonly custom: ReadonlySet<string>
}

export function createSteps(declaration: Declaration, custom: ReadonlySet<string>): Steps {
  const { model: { documents, contained }, prepared } = declaration
  const types: readonly ObjectType[] = [...documents.values(), ...contained.values()]
  const fields = new Map(types.flatMap((type) => [...type.fields.values()].map((field) => [field.coordinate, prepared(field)])))
  const plain = new Map([
    ...[...documents.values()].flatMap((type) => withCoordinates(type.name, documentValues(type, declaration))),
    ...[...contained.values()].flatMap((type) => withCoordinates(type.name, containedValues(type, declaration))),
    ...types.flatMap((type) => withCoordinates(`${type.name}Edge`, edgeValues)),
  ])
  return {
    at(node) {
      const { coordinate } = node
      if (custom.has(coordinate)) return undefined
      const found = fields.get(coordinate)
      if (found && !('value' in found)) return relationStep(found, node)
      if (found) return found.property === undefined ? { value: found.value } : { property: found.property }
      const value = plain.get(coordinate)
      return value && { plain: value }
    },
    plain,
    documents: new Set(documents.keys()),
    connections: new Set(types.map(({ name }) => `${name}Connection`)),
    custom,
  }
}

function withCoordinates(type: string, values: ReadonlyMap<string, Plain<never>>): [string, Plain<never>][] {
  return [...values].map(([name, value]) => [`${type}.${name}`, value])
}

/** From the snapshot; by one batch of lookups, where the relation can; else row by row. */
function relationStep({ copy, copies, lookUpAll, points }: Relation, { choice }: PlanNode): Step | undefined {
  if (choice?.from === 'SNAPSHOT') return copies ? { copies } : copy && { value: copy }
  return lookUpAll && !choice?.fresh ? { lookUpAll, points } : undefined
}
