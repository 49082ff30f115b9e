// Embed or reference, for one relation: what is asked of it decides what could be copied, and the price of
// each way decides what should be.

import type { DocumentNode } from 'graphql'
import { readDeclaration, type Declaration } from '../../../relations/declaration.ts'
import { DeclarationError } from '../../../model/sdl/declaration-error.ts'
import { objectType, type Field } from '../../../model/model.ts'
import { unplaced } from '../../../model/sdl/source-location.ts'
import { copiedBy, copyableFields } from '../../../relations/pointers/copied-fields.ts'
import type { Derive, Relation } from '../../../relations/kind.ts'
import { allPlaces, hoursOf, type Workload } from '../../../observe/workload/workload.ts'
import type { Facts } from '../sample/document-facts.ts'
import { fullBytes, megabytes } from './outgrowing.ts'
import type { Difference, Pricing } from './pricing.ts'
import { variantOf, type Variant } from './variant.ts'

export interface DecisionOptions {
  readonly workload: Workload
  readonly typeDefs: DocumentNode
  readonly declaration: Declaration
  readonly derive: Derive
  readonly pricing: Pricing
  readonly facts: Facts
}

/** One way of declaring a relation, and what the workload would take more with it. */
export interface Way {
  readonly copied: readonly string[]
  readonly variant: Variant
  readonly difference: Difference
  /** Why a schema cannot say so, or should not; undefined where it can. */
  readonly impossible: string | undefined
}

export interface Decision {
  readonly field: Field
  /** As it is declared. */
  readonly declared: Way
  readonly referenced: Way
  /** With what is best copied; undefined where nothing that is asked for could be. */
  readonly embedded: Way | undefined
  /** The cheapest of those that can be declared. */
  readonly best: Way
  /** How many changes an hour of what would be copied make both ways cost the same. */
  readonly breakEven: number | undefined
}

export function decide(field: Field, options: DecisionOptions): Decision {
  const ways = new Map<string, Way>()
  const wayWith = (copied: readonly string[]): Way => {
    const ordered = inOrder(field, options.declaration, copied)
    const name = ordered.join()
    const known = ways.get(name) ?? priced(field, ordered, options)
    ways.set(name, known)
    return known
  }
  const declared = wayWith(copiedBy(field)!)
  const referenced = wayWith([])
  const embedded = cheapestCopies(coverable(field, options), wayWith) ?? (declared.copied.length > 0 ? declared : undefined)
  const possible = [declared, referenced, ...(embedded ? [embedded] : [])].filter((way) => way === declared || way.impossible === undefined)
  const best = possible.reduce((one, other) => (chargeOf(other) < chargeOf(one) - dust ? other : one))
  return { field, declared, referenced, embedded, best, breakEven: embedded && breakEvenOf(embedded, referenced, hoursOf(options.workload)) }
}

/** Less than this is how numbers are added up. */
const dust = 1e-6

/** Adds what one place asks for as long as that makes it cheaper; the first is added in any case. */
function cheapestCopies(asked: readonly (readonly string[])[], wayWith: (copied: readonly string[]) => Way): Way | undefined {
  let chosen: Way | undefined
  for (;;) {
    const before = chosen
    const larger = asked.map((fields) => [...new Set([...(before?.copied ?? []), ...fields])]).filter((fields) => fields.length > (before?.copied.length ?? 0))
    const [next] = larger.map(wayWith).toSorted((one, other) => chargeOf(one) - chargeOf(other))
    if (!next || (chosen && chargeOf(next) >= chargeOf(chosen) - dust)) return chosen
    chosen = next
  }
}

/** The different selections of a relation that copies could answer, without what a pointer holds anyway. */
function coverable(field: Field, { workload, declaration }: DecisionOptions): string[][] {
  const copyable = new Set(copyableFields(objectType(declaration.model, field.target)!).map(({ name }) => name))
  const { copied: known = new Set<string>() } = declaration.prepared(field) as Relation
  const atHand = new Set([...known].filter((name) => !copyable.has(name) || name === 'id'))
  const selections = workload.operations.flatMap(({ places }) => allPlaces(places))
    .filter((place) => place.field === field.coordinate && !place.forced)
    .map(({ below = [] }) => [...new Set(below.map((each) => each.field.split('.')[1]!))].filter((name) => !atHand.has(name)).toSorted())
    .filter((names) => names.length > 0 && names.every((name) => copyable.has(name)))
  return [...new Map(selections.map((names) => [names.join(), names])).values()]
}

function priced(field: Field, copied: readonly string[], options: DecisionOptions): Way {
  const { typeDefs, declaration, derive, pricing } = options
  const variant = variantOf(typeDefs, declaration, derive, field.coordinate, copied)
  return { copied, variant, difference: pricing.differenceTo(variant, field), impossible: tokenError(variant, options) }
}

function tokenError({ typeDefs, field, declaration }: Variant, { derive, facts }: DecisionOptions): string | undefined {
  try {
    readDeclaration(typeDefs, derive)
  } catch (error) {
    if (error instanceof DeclarationError) return unplaced(error.problems[0] ?? error.message)
    throw error
  }
  const full = fullBytes(field, declaration.tools, facts)
  return full > facts.sample.documentBytes ? `A full list would be ${megabytes(full)}, and a document holds ${megabytes(facts.sample.documentBytes)}.` : undefined
}

/** Those that are copied already stay where they are, so that the line to write differs in what matters. */
function inOrder(field: Field, { model }: Declaration, copied: readonly string[]): string[] {
  const now = copiedBy(field)!
  const all = [...now, ...copyableFields(objectType(model, field.target)!).map(({ name }) => name).filter((name) => !now.includes(name))]
  return all.filter((name) => copied.includes(name))
}

function breakEvenOf(embedded: Way, referenced: Way, hours: number): number {
  const gained = referenced.difference.standing.requestCharge - embedded.difference.standing.requestCharge
  const { requestCharge } = embedded.difference.upkeep
  return gained <= 0 ? 0 : gained / requestCharge / hours
}

function chargeOf({ difference }: Way): number {
  return difference.total.requestCharge
}
