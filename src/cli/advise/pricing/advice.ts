// Advice from a recorded workload: for each pointer of the schema whether to embed or to reference, how much that
// saves, and at which rate of changes the answer reverses; for the other relations, remarks. The cost model prices
// everything here; the replay measures it.

import type { DocumentNode } from 'graphql'
import type { Declaration } from '../../../relations/declaration.ts'
import { servedSchema } from '../../../plan/explain/explain.ts'
import { allFields, type Field } from '../../../model/model.ts'
import { copiedBy } from '../../../relations/pointers/copied-fields.ts'
import { kindOf } from '../../../relations/kinds.ts'
import type { Derive } from '../../../relations/kind.ts'
import { hoursOf, type Workload } from '../../../observe/workload/workload.ts'
import { decide, type Decision, type Alternative } from './embed-or-reference.ts'
import type { DocumentStatistics } from '../sample/document-statistics.ts'
import { sizeWarnings, type SizeWarning } from './size-warnings.ts'
import { WorkloadPricing, type PricingOptions } from './workload-pricing.ts'
import { plus, times, type Rate } from './rate.ts'
import { usageOf } from './relation-usage.ts'

export interface AdviseOptions {
  readonly workload: Workload
  readonly typeDefs: DocumentNode
  readonly declaration: Declaration
  readonly derive: Derive
  readonly statistics: DocumentStatistics
}

export interface Advice {
  /** The recorded time. */
  readonly hours: number
  /** The cost of the workload as declared, per hour. */
  readonly now: Rate
  /** The pointers that were read or whose targets changed, the largest savings first. */
  readonly relations: readonly RelationAdvice[]
  /** The pointers that the workload does not use. */
  readonly unused: readonly string[]
  readonly remarks: readonly { readonly field: string; readonly sentence: string }[]
  readonly outgrowing: readonly SizeWarning[]
}

export interface RelationAdvice {
  readonly field: string
  readonly declared: PricedStorage
  /** The cheapest; its `line` is the declaration to write. */
  readonly advised: PricedStorage
  readonly referenced: PricedStorage
  readonly embedded: PricedStorage | undefined
  /** The share of all RU that the advice saves. */
  readonly saves: number
  /** Whether to change the schema: the alternative saves at least `minSaving`. */
  readonly change: boolean
  /** The fields to add to the declared snapshot and to drop from it. */
  readonly add: readonly string[]
  readonly drop: readonly string[]
  readonly changes: {
    /** The type whose changes the snapshots have to follow. */
    readonly of: string
    /** Changes per hour of fields that are in the snapshot, or would be. */
    readonly now: number
    /** Changes per hour at which both alternatives cost the same; undefined if there is nothing to embed. */
    readonly breakEven: number | undefined
    /** How many documents each change rewrites. */
    readonly fanOut: number
  }
}

export interface PricedStorage {
  readonly way: 'embedded' | 'referenced'
  readonly copied: readonly string[]
  /** The declaration of the field. */
  readonly line: string
  /** The cost of the whole workload with it, per hour. */
  readonly rate: Rate
  readonly impossible: string | undefined
}

/** The min share of all RU that justifies a schema change. */
export const minSaving = 0.01

/** A relation to replay: as declared, and with the alternative it is compared with. */
export interface Choice {
  readonly advice: RelationAdvice
  readonly decision: Decision
  readonly other: Alternative | undefined
}

export function advise(options: AdviseOptions): { advice: Advice; choices: readonly Choice[] } {
  const { workload, declaration, statistics } = options
  const pricing = createPricing(options)
  const hours = hoursOf(workload)
  const now = times(workload.made, 1 / hours)
  const pointers = allFields(declaration.model).filter((field) => copiedBy(field) !== undefined)
  const used = pointers.filter((field) => isUsed(field, workload))
  const choices = used.map((field) => decide(field, { ...options, pricing })).map((decision): Choice => {
    const advice = adviceOf(decision, pricing, statistics, now, hours)
    return { advice, decision, other: comparedAlternative(decision) }
  }).toSorted((one, other) => other.advice.saves - one.advice.saves || weightOf(other.decision) - weightOf(one.decision))
  return {
    advice: {
      hours,
      now,
      relations: choices.map(({ advice }) => advice),
      unused: pointers.filter((field) => !used.includes(field)).map(({ coordinate }) => coordinate),
      remarks: allFields(declaration.model).flatMap((field) => (kindOf(field).remark?.(field, usageOf(field, workload, declaration, statistics)) ?? [])
        .map((sentence) => ({ field: field.coordinate, sentence }))),
      outgrowing: sizeWarnings(workload, { model: declaration.model, kindContext: declaration.kindContext }, statistics),
    },
    choices,
  }
}

export function createPricing({ workload, declaration, statistics }: AdviseOptions, fanOut?: PricingOptions['fanOut']): WorkloadPricing {
  return new WorkloadPricing({ workload, declaration, schema: servedSchema(declaration), statistics, ...(fanOut ? { fanOut } : {}) })
}

/** The advised alternative, or, if the declared one is best, the one it beats. */
function comparedAlternative({ declared, referenced, embedded, best }: Decision): Alternative | undefined {
  if (best !== declared) return best
  const other = declared.copied.length > 0 ? referenced : embedded
  return other?.impossible === undefined ? other : undefined
}

function adviceOf(decision: Decision, pricing: WorkloadPricing, statistics: DocumentStatistics, now: Rate, hours: number): RelationAdvice {
  const { field, declared, referenced, embedded, best, breakEven } = decision
  const priced = ({ copied, variant, difference, impossible }: Alternative): PricedStorage => ({
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
    change: best !== declared && saves >= minSaving,
    add: wanted.filter((name) => !declared.copied.includes(name)),
    drop: wanted.length > 0 ? declared.copied.filter((name) => !wanted.includes(name)) : [],
    changes: {
      of: field.target,
      now: copying.difference.changes / hours,
      breakEven,
      fanOut: statistics.holdersOf(field).reduce((sum, pointer) => sum + pricing.fanOut(field, pointer, copying.copied), 0),
    },
  }
}

function isUsed({ coordinate, target }: Field, { relations, types }: Workload): boolean {
  return (relations[coordinate]?.resolved ?? 0) > 0 || Object.keys(types[target]?.updated ?? {}).length > 0
}

function weightOf({ referenced, embedded }: Decision): number {
  return embedded ? Math.abs(referenced.difference.total.requestCharge - embedded.difference.total.requestCharge) : 0
}
