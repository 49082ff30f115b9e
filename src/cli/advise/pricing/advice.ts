// Advice from a recorded workload: for each pointer of the schema whether to embed or to reference, by how
// much, and at which rate of changes the answer flips; for the other relations what can be said of them.
// Everything is priced by the cost model here. Whether it is true, a replay shows.

import type { DocumentNode } from 'graphql'
import type { Declaration } from '../../../relations/declaration.ts'
import { servedSchema } from '../../../plan/explain/explain.ts'
import { allFields, type Field } from '../../../model/model.ts'
import { copiedBy } from '../../../relations/pointers/copied-fields.ts'
import { kindOf } from '../../../relations/index.ts'
import type { Derive } from '../../../relations/kind.ts'
import { hoursOf, type Workload } from '../../../observe/workload/workload.ts'
import { decide, type Decision, type Way } from './decision.ts'
import type { Facts } from '../sample/document-facts.ts'
import { outgrowing, type Outgrowing } from './outgrowing.ts'
import { Pricing, type PricingOptions } from './pricing.ts'
import { plus, times, type Rate } from './rate.ts'
import { usageOf } from './usage.ts'

export interface AdviseOptions {
  readonly workload: Workload
  readonly typeDefs: DocumentNode
  readonly declaration: Declaration
  readonly derive: Derive
  readonly facts: Facts
}

export interface Advice {
  /** How long was recorded. */
  readonly hours: number
  /** What the workload takes as declared, an hour. */
  readonly now: Rate
  /** Those that were asked for or whose targets changed, the largest savings first. */
  readonly relations: readonly RelationAdvice[]
  /** The pointers about which the workload says nothing. */
  readonly unused: readonly string[]
  readonly remarks: readonly { readonly field: string; readonly sentence: string }[]
  readonly outgrowing: readonly Outgrowing[]
}

export interface RelationAdvice {
  readonly field: string
  readonly declared: PricedWay
  /** Where it is not the declared one, this is what to write. */
  readonly advised: PricedWay
  readonly referenced: PricedWay
  readonly embedded: PricedWay | undefined
  /** How much less is charged an hour, as a share of all. */
  readonly saves: number
  /** Whether another way is advised: it is cheaper, and by enough to change a schema for. */
  readonly change: boolean
  /** Asked for and not copied; copied and never asked for: the difference between what is declared and what would be best copied. */
  readonly add: readonly string[]
  readonly drop: readonly string[]
  readonly changes: {
    /** The type whose changes are carried to copies. */
    readonly of: string
    /** How many an hour concern what is copied, or would be. */
    readonly now: number
    /** How many an hour make both ways cost the same; undefined where there is nothing to embed. */
    readonly breakEven: number | undefined
    /** How many documents each of them rewrites. */
    readonly fanOut: number
  }
}

export interface PricedWay {
  readonly way: 'embedded' | 'referenced'
  readonly copied: readonly string[]
  /** The field as it is declared this way. */
  readonly line: string
  /** What the whole workload takes with it, an hour. */
  readonly rate: Rate
  readonly impossible: string | undefined
}

/** Saving less than this is no reason to change a schema. */
export const worthwhile = 0.01

/** What there is to replay: each relation with the way it is declared and the one it is held against. */
export interface Choice {
  readonly advice: RelationAdvice
  readonly decision: Decision
  readonly other: Way | undefined
}

export function advise(options: AdviseOptions): { advice: Advice; choices: readonly Choice[] } {
  const { workload, declaration, facts } = options
  const pricing = createPricing(options)
  const hours = hoursOf(workload)
  const now = times(workload.made, 1 / hours)
  const pointers = allFields(declaration.model).filter((field) => copiedBy(field) !== undefined)
  const used = pointers.filter((field) => isUsed(field, workload))
  const choices = used.map((field) => decide(field, { ...options, pricing })).map((decision): Choice => {
    const advice = adviceOf(decision, pricing, facts, now, hours)
    return { advice, decision, other: otherWay(decision) }
  }).toSorted((one, other) => other.advice.saves - one.advice.saves || weightOf(other.decision) - weightOf(one.decision))
  return {
    advice: {
      hours,
      now,
      relations: choices.map(({ advice }) => advice),
      unused: pointers.filter((field) => !used.includes(field)).map(({ coordinate }) => coordinate),
      remarks: allFields(declaration.model).flatMap((field) => (kindOf(field).remark?.(field, usageOf(field, workload, declaration, facts)) ?? [])
        .map((sentence) => ({ field: field.coordinate, sentence }))),
      outgrowing: outgrowing(workload, { model: declaration.model, tools: declaration.tools }, facts),
    },
    choices,
  }
}

export function createPricing({ workload, declaration, facts }: AdviseOptions, fanOut?: PricingOptions['fanOut']): Pricing {
  return new Pricing({ workload, declaration, schema: servedSchema(declaration), facts, ...(fanOut ? { fanOut } : {}) })
}

/** What is advised, or, where all is well, what it is better than. */
function otherWay({ declared, referenced, embedded, best }: Decision): Way | undefined {
  if (best !== declared) return best
  const other = declared.copied.length > 0 ? referenced : embedded
  return other?.impossible === undefined ? other : undefined
}

function adviceOf(decision: Decision, pricing: Pricing, facts: Facts, now: Rate, hours: number): RelationAdvice {
  const { field, declared, referenced, embedded, best, breakEven } = decision
  const priced = ({ copied, variant, difference, impossible }: Way): PricedWay => ({
    way: copied.length > 0 ? 'embedded' : 'referenced', copied, line: variant.line, rate: plus(now, times(difference.total, 1 / hours)), impossible,
  })
  const wanted = best.copied.length > 0 ? best.copied : []
  const copying = embedded ?? declared
  const saves = now.requestCharge === 0 ? 0 : Math.max(0, -best.difference.total.requestCharge / hours / now.requestCharge)
  return {
    field: field.coordinate,
    declared: priced(declared),
    advised: priced(best),
    referenced: priced(referenced),
    embedded: embedded && priced(embedded),
    saves,
    change: best !== declared && saves >= worthwhile,
    add: wanted.filter((name) => !declared.copied.includes(name)),
    drop: wanted.length > 0 ? declared.copied.filter((name) => !wanted.includes(name)) : [],
    changes: {
      of: field.target,
      now: copying.difference.changes / hours,
      breakEven,
      fanOut: facts.holdersOf(field).reduce((sum, pointer) => sum + pricing.fanOut(field, pointer, copying.copied), 0),
    },
  }
}

function isUsed({ coordinate, target }: Field, { relations, types }: Workload): boolean {
  return (relations[coordinate]?.resolved ?? 0) > 0 || Object.keys(types[target]?.updated ?? {}).length > 0
}

function weightOf({ referenced, embedded }: Decision): number {
  return embedded ? Math.abs(referenced.difference.total.requestCharge - embedded.difference.total.requestCharge) : 0
}
