// Advice with its proof: the recorded workload is priced, and then replayed with each relation declared as
// it is and the other way. What the replay of the other way will take is predicted from what the replay as
// declared did, and held against what it took.

import type { DocumentNode } from 'graphql'
import { advise, createPricing, type Advice, type Choice, type RelationAdvice } from './pricing/advice.ts'
import { Facts } from './sample/document-facts.ts'
import { knownPart } from './sample/known-workload.ts'
import type { PricingOptions } from './pricing/pricing.ts'
import { plus, times, type Rate } from './pricing/rate.ts'
import { sampleOf, type Sample } from './sample/sample.ts'
import { variantOf, type Variant } from './pricing/variant.ts'
import type { Declaration } from '../../relations/declaration.ts'
import { servedSchema } from '../../plan/explain/explain.ts'
import { fieldAt } from '../../model/model.ts'
import type { Derive } from '../../relations/kind.ts'
import type { Store } from '../../store/store.ts'
import { hoursOf, type Workload } from '../../observe/workload/workload.ts'
import { replay, type Replayed, type Update } from './replay/replay.ts'

export interface AdviseRun {
  readonly workload: Workload
  readonly typeDefs: DocumentNode
  readonly derive: Derive
  readonly declaration: Declaration
  readonly store: Store
  /** How many documents of each type to replay on. */
  readonly sample: number
  readonly onReplay?: (name: string) => void
}

export interface ProvedAdvice extends Advice {
  readonly recorded: Pick<Workload, 'runs' | 'startedAt' | 'endedAt' | 'made' | 'leftOut'>
  readonly relations: readonly ProvedRelation[]
  /** What the record has and the schema has not. */
  readonly unknown: readonly string[]
  /** The replay with every change that is advised, where there are several. */
  readonly together: Omit<Proof, 'line' | 'way'> | undefined
  /** The replay as declared. */
  readonly replayed: Pick<Replayed, 'rate' | 'sent' | 'failed' | 'leftOut'> & { readonly documents: number }
}

export interface ProvedRelation extends RelationAdvice {
  readonly proof: Proof | undefined
}

/** The workload with this relation the other way: as it was predicted, and as it was. */
export interface Proof {
  readonly line: string
  readonly way: 'embedded' | 'referenced'
  readonly declared: Rate
  readonly predicted: Rate
  readonly measured: Rate
  /** Whether prediction and replay agree as far as they are said to. */
  readonly agrees: boolean
}

/** Prediction and replay agree within a tenth of the difference between the two ways, or a hundredth of the whole where that is more. */
export const agreement = { ofDifference: 0.1, ofTotal: 0.01 }

/** Relations beyond these are priced and not replayed; those that matter most come first. */
const mostReplays = 8

export async function runAdvice(options: AdviseRun): Promise<ProvedAdvice> {
  const { typeDefs, derive, declaration, store, onReplay = () => undefined } = options
  const schema = servedSchema(declaration)
  const { workload, unknown } = knownPart(options.workload, schema, declaration)
  const sample = await sampleOf(store, declaration, options.sample)
  const facts = new Facts(sample, declaration.model, workload.types)
  const { advice, choices } = advise({ workload, typeDefs, declaration, derive, facts })
  onReplay('as declared')
  const declared = await replay({ typeDefs, derive, sample, workload })
  const part = new Facts({ ...sample, counts: new Map([...sample.documents].map(([name, all]) => [name, all.length])) }, declaration.model, workload.types)
  const fanOut: PricingOptions['fanOut'] = (pointer, copied, others) => part.fanOutOf(pointer, updatesOf(declared.updates, pointer.field.target, copied), others)
  const pricing = createPricing({ workload: declared.record, typeDefs, declaration, derive, facts: part }, fanOut)
  const relations: ProvedRelation[] = []
  for (const [index, choice] of choices.entries()) {
    if (!choice.other || index >= mostReplays) {
      relations.push({ ...choice.advice, proof: undefined })
      continue
    }
    onReplay(choice.advice.field)
    const { rate: measured } = await replay({ typeDefs: choice.other.variant.typeDefs, derive, sample, workload })
    const difference = pricing.differenceTo(choice.other.variant, choice.decision.field).total
    relations.push({ ...choice.advice, proof: proofOf(choice, declared.rate, plus(declared.rate, times(difference, 1 / hoursOf(workload))), measured) })
  }
  onReplay('all changes')
  const together = await replayTogether(options, choices, { declared, sample, workload, facts: part, fanOut })
  const { runs, startedAt, endedAt, made, leftOut } = options.workload
  const { rate, sent, failed, leftOut: notReplayed } = declared
  const documents = [...sample.documents.values()].reduce((sum, all) => sum + all.length, 0)
  return { ...advice, recorded: { runs, startedAt, endedAt, made, leftOut }, relations, unknown, together, replayed: { rate, sent, failed, leftOut: notReplayed, documents } }
}

/** All changes at once: each is priced on top of those before it, because what two of them save need not add up. */
async function replayTogether({ typeDefs, derive, declaration }: AdviseRun, choices: readonly Choice[], replayed: ReplayedAsDeclared): Promise<ProvedAdvice['together']> {
  const changes = choices.filter(({ advice, other }, index) => advice.change && other && index < mostReplays)
  if (changes.length < 2) return undefined
  const { declared: { rate, record }, sample, workload, facts, fanOut } = replayed
  let predicted = rate
  let changed: Pick<Variant, 'typeDefs' | 'declaration'> = { typeDefs, declaration }
  for (const { advice: { field, advised } } of changes) {
    const next = variantOf(changed.typeDefs, changed.declaration, derive, field, advised.copied)
    const pricing = createPricing({ ...changed, workload: record, derive, facts }, fanOut)
    predicted = plus(predicted, times(pricing.differenceTo(next, fieldAt(changed.declaration.model, field)!).total, 1 / hoursOf(workload)))
    changed = next
  }
  const { rate: measured } = await replay({ typeDefs: changed.typeDefs, derive, sample, workload })
  return held(rate, predicted, measured)
}

/** The replay as declared, and what the other ways are predicted from. */
interface ReplayedAsDeclared {
  readonly declared: Replayed
  readonly sample: Sample
  readonly workload: Workload
  /** Of the sample alone. */
  readonly facts: Facts
  readonly fanOut: NonNullable<PricingOptions['fanOut']>
}

function proofOf({ other }: Choice, declared: Rate, predicted: Rate, measured: Rate): Proof {
  const { copied, variant: { line } } = other!
  return { line, way: copied.length > 0 ? 'embedded' : 'referenced', ...held(declared, predicted, measured) }
}

/** A prediction held against a replay. */
function held(declared: Rate, predicted: Rate, measured: Rate) {
  const off = Math.abs(predicted.requestCharge - measured.requestCharge)
  const bound = Math.max(agreement.ofDifference * Math.abs(measured.requestCharge - declared.requestCharge), agreement.ofTotal * declared.requestCharge)
  return { declared, predicted, measured, agrees: off <= bound }
}

/** Those whose change has to be carried to copies, each as often as it stands for. */
function updatesOf(updates: readonly Update[], type: string, copied: readonly string[]): { id: string; times: number }[] {
  return updates.filter((update) => update.type === type && update.changed.some((name) => copied.includes(name)))
}
