// Advice with its proof: prices the recorded workload, then replays it with each relation as declared and as the
// alternative. The replay as declared predicts the cost of the alternative; the proof compares that with the cost
// that the replay of the alternative measured.

import type { DocumentNode } from 'graphql'
import { advise, createPricing, type Advice, type Choice, type RelationAdvice } from './pricing/advice.ts'
import { DocumentStatistics } from './sample/document-statistics.ts'
import { matchWorkload } from './sample/matching-workload.ts'
import type { PricingOptions } from './pricing/workload-pricing.ts'
import { plus, times, type Rate } from './pricing/rate.ts'
import { sampleOf, type Sample } from './sample/sample.ts'
import { variantOf, type Variant } from './pricing/schema-variant.ts'
import type { Declaration } from '../../relations/declaration.ts'
import { servedSchema } from '../../plan/explain/explain.ts'
import { fieldAt } from '../../model/model.ts'
import type { Derive } from '../../relations/kind.ts'
import type { Store } from '../../store/store.ts'
import { hoursOf, type Workload } from '../../observe/workload/workload.ts'
import { replay, type Replayed, type Update } from './replay/replay.ts'

export interface ProveOptions {
  readonly workload: Workload
  readonly typeDefs: DocumentNode
  readonly derive: Derive
  readonly declaration: Declaration
  readonly store: Store
  /** How many documents of each type to replay the workload on. */
  readonly sample: number
  readonly onReplay?: (name: string) => void
}

export interface ProvedAdvice extends Advice {
  readonly recorded: Pick<Workload, 'runs' | 'startedAt' | 'endedAt' | 'made' | 'leftOut'>
  readonly relations: readonly ProvedRelation[]
  /** Types and fields of the recording that the schema does not have. */
  readonly unknown: readonly string[]
  /** The replay with all recommended changes, if there are several. */
  readonly together: Omit<Proof, 'line' | 'way'> | undefined
  /** The replay as declared. */
  readonly replayed: Pick<Replayed, 'rate' | 'sent' | 'failed' | 'leftOut'> & { readonly documents: number }
}

export interface ProvedRelation extends RelationAdvice {
  readonly proof: Proof | undefined
}

/** The workload with the alternative for this relation: as predicted, and as measured. */
export interface Proof {
  readonly line: string
  readonly way: 'embedded' | 'referenced'
  readonly declared: Rate
  readonly predicted: Rate
  readonly measured: Rate
  /** Whether prediction and replay agree within `agreement`. */
  readonly agrees: boolean
}

/** The allowed gap: a tenth of the difference between the two alternatives, or a hundredth of the whole if that is more. */
export const agreement = { ofDifference: 0.1, ofTotal: 0.01 }

/** Further relations are priced but not replayed; those with the largest savings come first. */
const maxReplays = 8

export async function proveAdvice(options: ProveOptions): Promise<ProvedAdvice> {
  const { typeDefs, derive, declaration, store, onReplay = () => undefined } = options
  const schema = servedSchema(declaration)
  const { workload, unknown } = matchWorkload(options.workload, schema, declaration)
  const sample = await sampleOf(store, declaration, options.sample)
  const statistics = new DocumentStatistics(sample, declaration.model, workload.types)
  const { advice, choices } = advise({ workload, typeDefs, declaration, derive, statistics })
  onReplay('as declared')
  const declared = await replay({ typeDefs, derive, sample, workload })
  const part = new DocumentStatistics({ ...sample, counts: new Map([...sample.documents].map(([name, all]) => [name, all.length])) }, declaration.model, workload.types)
  const fanOut: PricingOptions['fanOut'] = (pointer, copied, others) => part.fanOutOf(pointer, updatesOf(declared.updates, pointer.field.target, copied), others)
  const pricing = createPricing({ workload: declared.record, typeDefs, declaration, derive, statistics: part }, fanOut)
  const relations: ProvedRelation[] = []
  for (const [index, choice] of choices.entries()) {
    if (!choice.other || index >= maxReplays) {
      relations.push({ ...choice.advice, proof: undefined })
      continue
    }
    onReplay(choice.advice.field)
    const { rate: measured } = await replay({ typeDefs: choice.other.variant.typeDefs, derive, sample, workload })
    const difference = pricing.differenceTo(choice.other.variant, choice.decision.field).total
    relations.push({ ...choice.advice, proof: proofOf(choice, declared.rate, plus(declared.rate, times(difference, 1 / hoursOf(workload))), measured) })
  }
  onReplay('all changes')
  const together = await replayTogether(options, choices, { declared, sample, workload, statistics: part, fanOut })
  const { runs, startedAt, endedAt, made, leftOut } = options.workload
  const { rate, sent, failed, leftOut: notReplayed } = declared
  const documents = [...sample.documents.values()].reduce((sum, all) => sum + all.length, 0)
  return { ...advice, recorded: { runs, startedAt, endedAt, made, leftOut }, relations, unknown, together, replayed: { rate, sent, failed, leftOut: notReplayed, documents } }
}

/** All changes at once. Each is priced on top of the ones before it, because savings of two changes need not add up. */
async function replayTogether({ typeDefs, derive, declaration }: ProveOptions, choices: readonly Choice[], replayed: ReplayedAsDeclared): Promise<ProvedAdvice['together']> {
  const changes = choices.filter(({ advice, other }, index) => advice.change && other && index < maxReplays)
  if (changes.length < 2) return undefined
  const { declared: { rate, record }, sample, workload, statistics, fanOut } = replayed
  let predicted = rate
  let changed: Pick<Variant, 'typeDefs' | 'declaration'> = { typeDefs, declaration }
  for (const { advice: { field, advised } } of changes) {
    const next = variantOf(changed.typeDefs, changed.declaration, derive, field, advised.copied)
    const pricing = createPricing({ ...changed, workload: record, derive, statistics }, fanOut)
    predicted = plus(predicted, times(pricing.differenceTo(next, fieldAt(changed.declaration.model, field)!).total, 1 / hoursOf(workload)))
    changed = next
  }
  const { rate: measured } = await replay({ typeDefs: changed.typeDefs, derive, sample, workload })
  return comparison(rate, predicted, measured)
}

/** The replay as declared, from which the alternatives are predicted. */
interface ReplayedAsDeclared {
  readonly declared: Replayed
  readonly sample: Sample
  readonly workload: Workload
  /** Statistics of the sample alone, since the replay has only these documents. */
  readonly statistics: DocumentStatistics
  readonly fanOut: NonNullable<PricingOptions['fanOut']>
}

function proofOf({ other }: Choice, declared: Rate, predicted: Rate, measured: Rate): Proof {
  const { copied, variant: { line } } = other!
  return { line, way: copied.length > 0 ? 'embedded' : 'referenced', ...comparison(declared, predicted, measured) }
}

function comparison(declared: Rate, predicted: Rate, measured: Rate) {
  const off = Math.abs(predicted.requestCharge - measured.requestCharge)
  const bound = Math.max(agreement.ofDifference * Math.abs(measured.requestCharge - declared.requestCharge), agreement.ofTotal * declared.requestCharge)
  return { declared, predicted, measured, agrees: off <= bound }
}

/** The updates that snapshots have to follow, each with the number of recorded updates it stands for. */
function updatesOf(updates: readonly Update[], type: string, copied: readonly string[]): { id: string; times: number }[] {
  return updates.filter((update) => update.type === type && update.changed.some((name) => copied.includes(name)))
}
