// The plan of a migration: the steps that make the documents fit the schema, their cost, and an example before and after. Most steps
// follow from the two declarations. What they cannot tell (was a field renamed, or dropped and another one added?) comes from the
// caller. One step that is unclear or impossible stops the whole plan.

import { processClock } from '../../clock.ts'
import { fieldAt, type Field } from '../../model/model.ts'
import { isPointer } from '../../model/pointers.ts'
import { selectionOf } from '../../read/selection.ts'
import { joiningType } from '../../relations/logical/links.ts'
import type { Declaration } from '../../relations/declaration.ts'
import type { Store } from '../../store/store.ts'
import { classes, type Difference } from '../declared/differences.ts'
import { declaredStorage } from '../declared/declared-storage.ts'
import { objectsIn } from '../declared/objects-in.ts'
import { lineOf } from '../declared/migration-errors.ts'
import { compareDeclaration, storedStorage } from '../declared/stored-declaration.ts'
import type { OpenWith } from '../declared/document-differences.ts'
import { conversionTo } from './scalar-conversions.ts'
import { exampleOf, type Example } from './example.ts'
import { hundredths } from '../../store/cost-model.ts'
import { expectedCost, expectedCostOnline, expectedCostOfCopying, type ExpectedCost } from './expected-cost.ts'
import { answerProblem } from './transform/check-answers.ts'
import { MatchedModels, type Answers } from './transform/matched-models.ts'
import { sourceOf } from './transform/field-sources.ts'
import { layoutOfBoth, storedModel } from './transform/stored-model.ts'
import { workOf, type TypeWork, type Work } from './transform/type-work.ts'
import { propertyMovesOf } from './online/property-moves.ts'
import { isFor, readRecord } from './run/migration-record.ts'
import { MigrationRefusedError } from './run/migration-run.ts'
import { countStaged } from './run/staged-documents.ts'
import { countRunningGateways } from './run/running-gateways.ts'

export type { Answers }

export interface MigrationStep {
  readonly at: string
  /** `stop`: the user has to answer a question, or undo the change. `record`: only the declaration changes. */
  readonly does: 'rewrite' | 'compute' | 'record' | 'stop'
  /** What differs, and what the step does about it. */
  readonly sentence: string
  /** How many documents it changes. */
  readonly documents: number
  /** The expected cost. Steps for one type are done together; the first of them has the cost of all. */
  readonly cost: ExpectedCost
  readonly reversible: boolean
  /** Whether gateways can read and write meanwhile. */
  readonly online: boolean
  readonly example?: Example
  /** The new fields that could be the old one under another name, where that is the question. */
  readonly candidates?: readonly string[]
}

export async function planMigration(declared: Declaration, store: Store, answers: Answers, openWith?: OpenWith): Promise<MigrationStep[]> {
  const to = declaredStorage(declared.model)
  const record = await readRecord(store)
  if (record && isFor(record, record.places ? declaredStorage(declared.at(record.places).model) : to, record.hints)) {
    if (record.phase === 'copy' || record.phase === 'freeze' || record.phase === 'handover') return [{ ...(await resumed(store)), sentence: 'A migration is running: it copies documents while gateways serve.', documents: record.copied?.total ?? 0, online: true }]
    if (record.phase === 'switch') return [await resumed(store)]
    if (record.places && record.phase === 'done' && !record.filled) return [{ ...(await resumed(store)), does: 'compute', sentence: 'The documents have been handed over. Their snapshots, lists and counts are computed now.', online: true }]
    if (record.phase === 'both' && !record.filled) return [{ ...(await resumed(store)), sentence: 'A migration is running: every write has both forms, and the other documents get the second one.', online: true }]
    if (record.phase === 'both' || record.phase === 'contract') return []
  }
  const { needed, found } = await compareDeclaration(declared, store, openWith)
  const before = await storedStorage(store)
  if (!before) return []
  const pairs = new MatchedModels(storedModel(before, to), declared.model, answers)
  const work = workOf(pairs)
  // A field that another one is renamed to needs nothing else.
  const renamedTo = new Set([...answers.renamed].map(([from, name]) => `${from.split('.')[0]}.${name}`))
  const asked = needed.filter(({ at, change }) => !(renamedTo.has(at) && classes[change] === 'by documents'))
  const pending = found.filter(({ change, at }) => classes[change] === 'catch-up' && !asked.some((each) => each.at === at))
  const isDone = asked.length === 0 && pending.length === 0
  const problem = answerProblem(pairs, before, answers, isDone)
  if (problem !== undefined) throw new MigrationRefusedError(`Nothing was changed: ${problem}`)
  if (isDone) return []
  const opened = openWith ? await openWith(layoutOfBoth(pairs.old, declared.layout, declared.tenants)) : store
  try {
    return await stepsOf({ pairs, work, answers, store: opened }, asked, pending)
  } finally {
    if (opened !== store) await opened.close()
  }
}

interface Planning {
  readonly pairs: MatchedModels
  readonly work: Work
  readonly answers: Answers
  readonly store: Store
}

const free: ExpectedCost = { roundTrips: 0, requestCharge: 0 }

async function stepsOf(planning: Planning, asked: readonly Difference[], pending: readonly Difference[]): Promise<MigrationStep[]> {
  const { pairs, work, store } = planning
  const planned = new Set<TypeWork>()
  const hasBothForms = pending.length === 0 && store.supports.atomic === 'store' && typeof propertyMovesOf(pairs, work) !== 'string'
  const isServed = (await countRunningGateways(store, processClock)) > 0
  const costOf = !isServed ? expectedCost : hasBothForms ? expectedCostOnline : expectedCostOfCopying
  let others = await countOthers(planning)
  const steps: MigrationStep[] = []
  for (const difference of asked) {
    const step = stepOf(planning, difference)
    const typeWork = step.does === 'rewrite' ? workFor(pairs, work, difference) : undefined
    const documents = typeWork ? await store.count(selectionOf(typeWork.old)) : 0
    const isFirst = typeWork !== undefined && !planned.has(typeWork)
    if (typeWork) planned.add(typeWork)
    const shown = isFirst && documents > 0 ? await exampleOf(pairs, typeWork, store) : undefined
    steps.push({
      at: difference.at, does: step.does, sentence: `${lineOf(difference)} ${step.what}`, documents,
      cost: isFirst ? costOf(store, typeWork, documents, shown?.bytes ?? 0, others) : free,
      reversible: step.does !== 'stop' && !(step.does === 'rewrite' && isIdLost(pairs, difference)), online: step.does !== 'stop',
      ...(shown ? { example: shown.example } : {}), ...(step.candidates ? { candidates: step.candidates } : {}),
    })
    if (isFirst) others = 0
  }
  // Types that are rewritten because of another one have no difference of their own.
  const first = steps.findIndex(({ does }) => does === 'rewrite')
  for (const typeWork of first < 0 ? [] : work.types.filter((each) => !planned.has(each))) {
    const documents = await store.count(selectionOf(typeWork.old))
    const { roundTrips, requestCharge } = costOf(store, typeWork, documents, documents > 0 ? ((await exampleOf(pairs, typeWork, store))?.bytes ?? 0) : 0)
    const { cost } = steps[first]!
    steps[first] = { ...steps[first]!, cost: { roundTrips: cost.roundTrips + roundTrips, requestCharge: hundredths(cost.requestCharge + requestCharge) } }
  }
  return [...steps, ...pending.map((each): MigrationStep => ({ at: each.at, does: 'compute', sentence: `${lineOf(each)} Computed in every document.`, documents: 0, cost: free, reversible: true, online: true }))]
}

/** Documents of types that are not rewritten. What they have may follow from those that are, so they are looked at. */
async function countOthers({ pairs, work, store }: Planning): Promise<number> {
  const others = [...pairs.now.documents.values()].filter((type) => pairs.oldDocument(type) && !work.types.some(({ now }) => now === type))
  return (await Promise.all(others.map(async (type) => store.count(selectionOf(type))))).reduce((sum, count) => sum + count, 0)
}

interface Step extends Pick<MigrationStep, 'does' | 'candidates'> {
  readonly what: string
}

function stepOf(planning: Planning, difference: Difference): Step {
  const step = ownStepOf(planning, difference)
  return step.does === 'rewrite' && isInUnion(planning.pairs, difference) ? stop('Objects of a union are not rewritten. Change it back, or name the property that they have: @stored(at: "…").') : step
}

/** What an object of a union is depends on its properties. */
function isInUnion({ now }: MatchedModels, { at }: Difference): boolean {
  const name = at.split('.')[0]!
  return [...now.unions.values()].flat().some((member) => member.name === name || objectsIn(now, member).has(name))
}

function ownStepOf({ pairs, work, answers }: Planning, difference: Difference): Step {
  const { at, change } = difference
  const problem = work.problems.get(at)
  if (problem !== undefined) return stop(problem)
  const field = fieldAt(pairs.now, at)
  switch (change) {
    case 'other container': return rewrite('Every document moves; the old ones stay until --finish.')
    case 'other type': return rewrite('Every document gets the new type.')
    case 'other partition key': return rewrite('Every document moves to its new partition.')
    case 'perhaps renamed': return renamed(pairs, answers, difference)
    case 'newly unique': return stop('No command can choose: give one of them another value, or remove @unique.')
    case 'new value':
    case 'other value': return valued(pairs, answers, field, difference)
    default: return field ? rewrite(sentenceOf(pairs, field)) : stop('It cannot be migrated. Change it back.')
  }
}

function renamed(pairs: MatchedModels, answers: Answers, { at, sentence }: Difference): Step {
  if (answers.dropped.has(at)) return { does: 'record', what: 'Dropped: documents keep the property, and nothing reads it.' }
  const to = answers.renamed.get(at)
  const candidates = /and (.*) is new/.exec(sentence)?.[1]?.split(' and ') ?? []
  if (to === undefined) return { ...stop(`Say which: --renamed ${at}=NEW moves the values, --dropped ${at} leaves them.`), candidates }
  const field = fieldAt(pairs.now, `${at.split('.')[0]}.${to}`)
  const source = field && sourceOf(pairs, field)
  if (!field || !('at' in field.storage) || !source || source.from === 'nothing') return stop(`${at.split('.')[0]} has no stored field ${to}. Name one.`)
  return source.from === 'impossible' ? stop(source.why) : rewrite(sentenceOf(pairs, field))
}

function valued(pairs: MatchedModels, answers: Answers, field: Field | undefined, { at, sentence }: Difference): Step {
  const source = field && sourceOf(pairs, field)
  const given = answers.defaults.get(at)
  if (!field || !source) return stop('It cannot be migrated. Change it back.')
  if (given === undefined) {
    if (source.from !== 'nothing' && source.from !== 'same') return rewrite(sentenceOf(pairs, field))
    if (source.from === 'same' && !sentence.endsWith('lack it')) return stop('No command can choose others: write values that fit first, or change it back.')
    return stop(field.leaf && field.shape === 'one' ? `Give a value for them: --default ${at}=VALUE. Or make it nullable.` : 'Make it nullable, or write a value into every document first.')
  }
  if (typeof given !== 'function' && field.leaf && conversionTo(field.target)?.(given)?.value !== given) return stop(`The default ${JSON.stringify(given)} is no ${field.target}. Give one that is.`)
  return rewrite(`Documents that lack it get ${typeof given === 'function' ? 'what its function in migrate.ts returns' : JSON.stringify(given)}.`)
}

function sentenceOf(pairs: MatchedModels, field: Field): string {
  const source = sourceOf(pairs, field)
  const at = 'at' in field.storage ? field.storage.at : undefined
  switch (source.from) {
    case 'value': return source.old.leaf && source.old.target !== field.target ? `Values become ${field.target}.` : `The property "${'at' in source.old.storage ? source.old.storage.at : source.old.name}" becomes "${at}" in every document.`
    case 'entries': return 'The list is divided into the document and its buckets again.'
    case 'links': return `The links of ${source.old.coordinate} are stored in "${at}" of ${field.owner}.`
    case 'made': return `The objects become ${field.target} documents, and "${at}" links with them.`
    case 'maker': return `Each ${field.owner} links with the document that it was in.`
    case 'documents': return `The ${field.target} documents become objects in "${at}".`
    case 'computed': return source.old && isPointer(source.old) && source.old.shape === 'list' ? 'Its links are stored elsewhere, in the order of their ids.' : 'Its links are stored elsewhere.'
    default: return 'Rewritten in every document, from the documents that it comes from.'
  }
}

function rewrite(what: string): Step {
  return { does: 'rewrite', what }
}

function stop(what: string): Step {
  return { does: 'stop', what }
}

function workFor({ now, old }: MatchedModels, { types }: Work, { at }: Difference): TypeWork | undefined {
  const name = at.split('.')[0]!
  return types.find((each) => each.now?.name === name || each.old.name === name)
    // Objects are in documents of another type.
    ?? types.find((each) => each.now && (now.contained.has(name) || old.contained.has(name)))
}

/** Joining documents that become ids get new ids when they come back. */
function isIdLost(pairs: MatchedModels, { at }: Difference): boolean {
  const field = fieldAt(pairs.now, at)
  const before = field && pairs.oldField(field)
  return before !== undefined && joiningType(before, pairs.old) !== undefined && joiningType(field!, pairs.now) === undefined
}

async function resumed(store: Store): Promise<MigrationStep> {
  const documents = await countStaged(store)
  return { at: '', does: 'rewrite', sentence: 'A migration is running: its documents are being prepared.', documents, cost: free, reversible: true, online: false }
}

