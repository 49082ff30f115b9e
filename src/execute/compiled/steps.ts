// How the fields of the model are resolved for all rows of a level at once, or as a part of writing the
// row. A field that has no step here is resolved row by row by its resolver, be it one of ours or one that
// a schema brings.

import type { Declaration } from '../../relations/declaration.ts'
import type { Reads } from '../../read/reads.ts'
import type { ObjectType } from '../../model/model.ts'
import type { PlanNode } from '../../plan/plan.ts'
import type { Gathered, Relation } from '../../relations/kind.ts'
import { edgeValues } from '../resolvers.ts'
import { containedValues, documentValues, type Plain } from '../field-values.ts'
import type { MaybePromise } from '../../store/maybe-promise.ts'
import type { Body } from '../../model/json/json.ts'

export type Step =
  /** A property of the body of a row. */
  | { readonly property: string }
  /** A value that follows from the body of a row. */
  | { readonly value: (body: Body) => unknown }
  /** A value that follows from the row as resolvers see it. */
  | { readonly plain: Plain<never> }
  /** The bodies of copies that are in the body of a row. */
  | { readonly copies: (body: Body) => readonly Body[] }
  /** Documents, looked up for all rows at once; or one by one, where they are in hand and it is known which they are. */
  | { readonly gather: (bodies: readonly Body[], reads: Reads) => MaybePromise<Gathered>; readonly points: Relation['points'] }

export interface Steps {
  /** The step of a field at its place, where the plan may have chosen. */
  readonly at: (place: PlanNode) => Step | undefined
  /** What resolvers do with rows of any form, by `Type.field`. */
  readonly plain: ReadonlyMap<string, Plain<never>>
  /** The names of types whose rows are documents. */
  readonly documents: ReadonlySet<string>
  /** The names of types whose rows are pages of documents, or of what is contained. */
  readonly connections: ReadonlySet<string>
  /** The fields whose resolvers a schema brings. They have no steps. */
  readonly custom: ReadonlySet<string>
}

export function createSteps(declaration: Declaration, custom: ReadonlySet<string>): Steps {
  const { model: { documents, contained }, prepared } = declaration
  const types: readonly ObjectType[] = [...documents.values(), ...contained.values()]
  const fields = new Map(types.flatMap((type) => [...type.fields.values()].map((field) => [field.coordinate, prepared(field)])))
  const plain = new Map([
    ...[...documents.values()].flatMap((type) => named(type.name, documentValues(type, declaration))),
    ...[...contained.values()].flatMap((type) => named(type.name, containedValues(type, declaration))),
    ...types.flatMap((type) => named(`${type.name}Edge`, edgeValues)),
  ])
  return {
    at(place) {
      const { coordinate } = place
      if (custom.has(coordinate)) return undefined
      const found = fields.get(coordinate)
      if (found && !('value' in found)) return relationStep(found, place)
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

function named(type: string, values: ReadonlyMap<string, Plain<never>>): [string, Plain<never>][] {
  return [...values].map(([name, value]) => [`${type}.${name}`, value])
}

/** From the copy at once; by lookups together, where the relation can; else row by row. */
function relationStep({ copy, copies, lookAll, points }: Relation, { choice }: PlanNode): Step | undefined {
  if (choice?.from === 'SNAPSHOT') return copies ? { copies } : copy && { value: copy }
  return lookAll && !choice?.fresh ? { gather: lookAll, points } : undefined
}
