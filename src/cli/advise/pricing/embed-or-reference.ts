// Embed or reference, for one relation: the selected fields decide what a snapshot could hold, the cost of each
// alternative decides what it should hold.

import type { DocumentNode } from 'graphql'
import { readDeclaration, type Declaration } from '../../../relations/declaration.ts'
import { DeclarationError } from '../../../model/sdl/declaration-error.ts'
import { objectType, type Field } from '../../../model/model.ts'
import { unplaced } from '../../../model/sdl/source-location.ts'
import { copiedBy, copyableFields } from '../../../relations/pointers/copied-fields.ts'
import type { Derive, Relation } from '../../../relations/kind.ts'
import { allRecordedNodes, hoursOf, type Workload } from '../../../observe/workload/workload.ts'
import type { DocumentStatistics } from '../sample/document-statistics.ts'
import { fullBytes, megabytes } from './size-warnings.ts'
import type { Difference, WorkloadPricing } from './workload-pricing.ts'
import { variantOf, type Variant } from './schema-variant.ts'

export interface DecisionOptions {
  readonly workload: Workload
  readonly typeDefs: DocumentNode
  readonly declaration: Declaration
  readonly derive: Derive
  readonly pricing: WorkloadPricing
  readonly statistics: DocumentStatistics
}

/** One way to declare a relation, and its extra cost for the workload. */
export interface Alternative {
  readonly copied: readonly string[]
  readonly variant: Variant
  readonly difference: Difference
  /** Why a schema cannot or should not declare it; undefined if it can. */
  readonly impossible: string | undefined
}

export interface Decision {
  readonly field: Field
  /** As the schema declares it. */
  readonly declared: Alternative
  readonly referenced: Alternative
  /** With the cheapest snapshot; undefined if it could hold none of the selected fields. */
  readonly embedded: Alternative | undefined
  /** The cheapest that a schema can declare. */
  readonly best: Alternative
  /** Changes per hour of the snapshot's fields at which both alternatives cost the same. */
  readonly breakEven: number | undefined
}

export function decide(field: Field, options: DecisionOptions): Decision {
  const ways = new Map<string, Alternative>()
  const alternativeCopying = (copied: readonly string[]): Alternative => {
    const ordered = inOrder(field, options.declaration, copied)
    const name = ordered.join()
    const known = ways.get(name) ?? priced(field, ordered, options)
    ways.set(name, known)
    return known
  }
  const declared = alternativeCopying(copiedBy(field)!)
  const referenced = alternativeCopying([])
  const embedded = cheapestCopies(coverable(field, options), alternativeCopying) ?? (declared.copied.length > 0 ? declared : undefined)
  const possible = [declared, referenced, ...(embedded ? [embedded] : [])].filter((way) => way === declared || way.impossible === undefined)
  const best = possible.reduce((one, other) => (chargeOf(other) < chargeOf(one) - roundingError ? other : one))
  return { field, declared, referenced, embedded, best, breakEven: embedded && breakEvenOf(embedded, referenced, hoursOf(options.workload)) }
}

/** Smaller differences come from floating-point addition. */
const roundingError = 1e-6

/** Adds the fields of one selection after another while that lowers the cost; the first is added in any case. */
function cheapestCopies(asked: readonly (readonly string[])[], alternativeCopying: (copied: readonly string[]) => Alternative): Alternative | undefined {
  let chosen: Alternative | undefined
  for (;;) {
    const before = chosen
    const larger = asked.map((fields) => [...new Set([...(before?.copied ?? []), ...fields])]).filter((fields) => fields.length > (before?.copied.length ?? 0))
    const [next] = larger.map(alternativeCopying).toSorted((one, other) => chargeOf(one) - chargeOf(other))
    if (!next || (chosen && chargeOf(next) >= chargeOf(chosen) - roundingError)) return chosen
    chosen = next
  }
}

/** The distinct selections of a relation that a snapshot could answer, without the fields that a pointer holds anyway. */
function coverable(field: Field, { workload, declaration }: DecisionOptions): string[][] {
  const copyable = new Set(copyableFields(objectType(declaration.model, field.target)!).map(({ name }) => name))
  const { copied: known = new Set<string>() } = declaration.prepared(field) as Relation
  const atHand = new Set([...known].filter((name) => !copyable.has(name) || name === 'id'))
  const selections = workload.operations.flatMap(({ places }) => allRecordedNodes(places))
    .filter((place) => place.field === field.coordinate && !place.forced)
    .map(({ below = [] }) => [...new Set(below.map((each) => each.field.split('.')[1]!))].filter((name) => !atHand.has(name)).toSorted())
    .filter((names) => names.length > 0 && names.every((name) => copyable.has(name)))
  return [...new Map(selections.map((names) => [names.join(), names])).values()]
}

function priced(field: Field, copied: readonly string[], options: DecisionOptions): Alternative {
  const { typeDefs, declaration, derive, pricing } = options
  const variant = variantOf(typeDefs, declaration, derive, field.coordinate, copied)
  return { copied, variant, difference: pricing.differenceTo(variant, field), impossible: whyImpossible(variant, options) }
}

function whyImpossible({ typeDefs, field, declaration }: Variant, { derive, statistics }: DecisionOptions): string | undefined {
  try {
    readDeclaration(typeDefs, derive)
  } catch (error) {
    if (error instanceof DeclarationError) return unplaced(error.problems[0] ?? error.message)
    throw error
  }
  const full = fullBytes(field, declaration.kindContext, statistics)
  return full > statistics.sample.documentBytes ? `A full list would have ${megabytes(full)}; a document can have ${megabytes(statistics.sample.documentBytes)}.` : undefined
}

/** Fields of the declared snapshot keep their order, so that the line to write differs only where it must. */
function inOrder(field: Field, { model }: Declaration, copied: readonly string[]): string[] {
  const now = copiedBy(field)!
  const all = [...now, ...copyableFields(objectType(model, field.target)!).map(({ name }) => name).filter((name) => !now.includes(name))]
  return all.filter((name) => copied.includes(name))
}

function breakEvenOf(embedded: Alternative, referenced: Alternative, hours: number): number {
  const gained = referenced.difference.standing.requestCharge - embedded.difference.standing.requestCharge
  const { requestCharge } = embedded.difference.upkeep
  return gained <= 0 ? 0 : gained / requestCharge / hours
}

function chargeOf({ difference }: Alternative): number {
  return difference.total.requestCharge
}
