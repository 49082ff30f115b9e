// Carries out a migration. There are three ways:
//
//   offline              no gateway runs: documents are prepared beside the old ones, then replace them (run/)
//   expand and contract  gateways run, and a document can have both forms at once: every write has both, and the others get the second one
//                        page by page (online/expand-and-contract.ts)
//   copy                 gateways run, and it cannot: documents are copied into other containers (online/copy/)
//
// All of them read what a document and its links mean, not how they are stored, and write that as the new schema stores it (transform/), so
// every pair of storage kinds works. The price of the offline way is that each changed document is written twice. In return, everything
// that cannot be done is found before anything is changed. One record holds the phase (run/migration-record.ts): before it says `switch`,
// the store is the old one; afterwards the migration can only go forward. No gateway may run meanwhile: one of the old schema would change
// documents that are prepared already, and one of the new schema would not find its documents.

import { processClock, type Clock } from '../../clock.ts'
import type { Json } from '../../model/json/json.ts'
import type { Declaration } from '../../relations/declaration.ts'
import type { ContainerLocations } from '../../store/migration/container-locations.ts'
import type { Store } from '../../store/store.ts'
import { withMeter } from '../../store/with-meter.ts'
import { createValueCheck } from '../check/invalid-values.ts'
import type { KeepUndoEntries } from '../check/repair/undo-log.ts'
import { declaredStorage, storageHash, type DeclaredStorage } from '../declared/declared-storage.ts'
import { classes, differences } from '../declared/differences.ts'
import { pendingFields, storedStorage } from '../declared/stored-declaration.ts'
import type { OpenWith } from '../declared/document-differences.ts'
import { MatchedModels, type Answers } from './transform/matched-models.ts'
import { layoutOfBoth, storedModel } from './transform/stored-model.ts'
import { workOf } from './transform/type-work.ts'
import { readMode } from '../../feed/mode/mode-document.ts'
import { abandon, copyOnline, removeCopied } from './online/copy/copy-online.ts'
import { nextLocations } from './online/copy/next-locations.ts'
import { contract, expand } from './online/expand-and-contract.ts'
import { propertyMovesOf, type PropertyMoves } from './online/property-moves.ts'
import { defaultSilenceMs, HeldRecord, isFor, readRecord, type MigrationRecord } from './run/migration-record.ts'
import { refuseUnfitOthers } from './run/all-fit.ts'
import { MigrationRefusedError, type MigrationRun } from './run/migration-run.ts'
import { prepare } from './run/prepare.ts'
import { countRunningGateways, refuseOtherSchemas, beginSwitch } from './run/running-gateways.ts'
import { RequestBudget } from './run/request-budget.ts'
import { countStaged, forgetStaged, type StagedDocument } from './run/staged-documents.ts'
import { finish, switchOver } from './run/switch.ts'
import type { MigrationStep } from './plan-migration.ts'

export { MigrationRefusedError }

export interface ApplyOptions {
  /** Saves the old documents before they are changed. */
  readonly keep: KeepUndoEntries
  /** The file that they are saved in, for the record. */
  readonly savedIn?: string
  readonly onProgress?: (documents: number, total: number) => void
  readonly signal?: AbortSignal
  /** Opens the same store with other containers. */
  readonly openWith?: OpenWith | undefined
  /** The max RU per second; unlimited without. */
  readonly ruPerSecond?: number | undefined
  readonly clock?: Clock
  /** Migrate online even if no running gateway is found. */
  readonly online?: boolean
  /** How long the record of another process must be the same until that process counts as ended. */
  readonly silenceMs?: number
}

export interface Applied {
  /** How many documents were written or removed. */
  readonly rewritten: number
  /** How many old documents are left for `--finish`. */
  readonly left: number
  /** Documents have both forms, and gateways of both schemas can run. */
  readonly isServed: boolean
  readonly requestCharge: number
}

export async function applyMigration(declared: Declaration, store: Store, steps: readonly MigrationStep[], answers: Answers, options: ApplyOptions): Promise<Applied> {
  const stopped = steps.filter(({ does }) => does === 'stop')
  if (stopped.length > 0) throw new MigrationRefusedError(`Nothing was changed:\n${stopped.map(({ sentence }) => `  - ${sentence}`).join('\n')}`)
  if (steps.length === 0) {
    await abandonOther(declared, store, options)
    return { rewritten: 0, left: await countStaged(store), isServed: false, requestCharge: 0 }
  }
  const total = steps.reduce((sum, { documents }) => sum + documents, 0)
  return withRun(declared, store, answers, total, options, async (run, budget) => {
    if (run.held.record.phase === 'both') {
      const rewritten = await expand(run, run.held.record.moves!)
      return { rewritten, left: 1, isServed: true, requestCharge: budget.spent }
    }
    if (run.held.record.places) return { rewritten: await copyOnline(run, options.clock ?? processClock), left: 1, isServed: false, requestCharge: budget.spent }
    if (run.held.record.phase === 'prepare') await prepareAll(run)
    const rewritten = await switchOver(run)
    await forgetStaged(run.store, ({ goes }) => goes !== 'finish')
    const left = await countStaged(run.store)
    if (left === 0) await run.held.remove()
    else await run.held.save({ phase: 'done', checkpoint: null, digests: {}, owner: '' })
    return { rewritten, left, isServed: false, requestCharge: budget.spent }
  })
}

/** Deletes copies that were made for another schema. */
async function abandonOther(declared: Declaration, store: Store, options: ApplyOptions): Promise<void> {
  const record = await readRecord(store)
  if (!record?.places || (record.phase !== 'copy' && record.phase !== 'freeze') || isFor(record, declaredStorage(declared.at(record.places).model), record.hints)) return
  await withRecord(declared.at(record.places), store, record, options, (opened, held) => abandon({ store: opened, held, advance: () => Promise.resolve() }))
}

/** If it fails, it leaves nothing behind. */
async function prepareAll(run: MigrationRun): Promise<void> {
  try {
    await prepare(run)
    await beginSwitch(run)
  } catch (error) {
    if (error instanceof MigrationRefusedError) {
      await forgetStaged(run.store)
      await run.held.remove()
    }
    throw error
  }
}

/** Removes old documents that an applied migration has left. */
export async function finishMigration(declared: Declaration, store: Store, options: ApplyOptions): Promise<{ readonly removed: number; readonly changed: readonly StagedDocument[] }> {
  const record = await readRecord(store)
  if (!record) return { removed: 0, changed: [] }
  if (record.phase === 'both' || record.phase === 'contract') return finishServed(declared, store, options)
  if (record.phase !== 'done') throw new MigrationRefusedError('A migration has begun and is not done yet. Run "quire migrate --apply" first.')
  if (record.places) {
    return withRun(declared, store, noAnswers, 0, options, async (run) => {
      const removed = await removeCopied(run)
      await run.held.remove()
      return { removed, changed: [] }
    }, true)
  }
  return withRecord(declared, store, record, options, async (opened, held) => {
    const budget = new RequestBudget(options.ruPerSecond, options.clock ?? processClock)
    return finish({ store: withMeter(opened, budget.meter), held, keep: options.keep, advance: () => budget.pause(options.signal) })
  })
}

/** Removes the old form, while gateways of the new schema run. */
async function finishServed(declared: Declaration, store: Store, options: ApplyOptions): Promise<{ readonly removed: number; readonly changed: readonly StagedDocument[] }> {
  const schema = storageHash(declaredStorage(declared.model))
  const clock = options.clock ?? processClock
  await refuseOtherSchemas(store, schema, clock)
  return withRun(declared, store, noAnswers, 0, options, async (run) => {
    const removed = await contract(run, run.held.record.moves!, () => refuseOtherSchemas(run.store, schema, clock))
    await run.held.remove()
    return { removed, changed: [] }
  })
}

const noAnswers: Answers = { renamed: new Map(), dropped: new Set(), defaults: new Map() }

async function withRun<T>(given: Declaration, store: Store, answers: Answers, total: number, options: ApplyOptions, use: (run: MigrationRun, budget: RequestBudget) => Promise<T>, finishes = false): Promise<T> {
  const { keep, onProgress, signal, clock = processClock } = options
  const hints = hintsOf(answers)
  const known = await readRecord(store)
  if (known?.phase === 'done' && !finishes && !(known.places && !known.filled)) throw new MigrationRefusedError('An earlier migration has left old documents. Run "quire migrate --finish" first: it removes them.')
  const isSame = known !== undefined && isFor(known, declaredStorage(given.at(known.places ?? given.locations).model), known.hints)
  if (known && !isSame && (known.phase === 'copy' || known.phase === 'freeze')) {
    await abandonOther(given, store, options)
    return withRun(given, store, answers, total, options, use)
  }
  if (known && known.phase !== 'prepare' && !isSame) throw new MigrationRefusedError('A migration to another schema has begun. Run "quire migrate --apply" with that schema first.')
  const from = known?.from ?? (await storedStorage(store)) ?? declaredStorage(given.model)
  const way = !known || known.phase === 'prepare' ? await wayOf(given, store, from, answers, options) : { places: known.places }
  const declared = way.places ? given.at(way.places) : given
  const to = declaredStorage(declared.model)
  const budget = new RequestBudget(options.ruPerSecond, clock)
  if (!known || known.phase === 'prepare') {
    const pairs = new MatchedModels(storedModel(from, to), declared.model, answers)
    await refuseUnfitOthers({ declared, store: withMeter(store, budget.meter), layout: given.layout, pairs, work: workOf(pairs), advance: () => budget.pause(signal) }, from, way.moves !== undefined)
  }
  const begin: Omit<MigrationRecord, 'owner'> = {
    phase: way.moves ? 'both' : way.places ? 'copy' : 'prepare', from, to, schema: storageHash(to), hints, checkpoint: null, digests: {},
    ...(way.moves ? { moves: way.moves, filled: false } : {}), ...(way.places ? { places: way.places, copied: { documents: 0, total } } : {}), ...(options.savedIn === undefined ? {} : { saved: options.savedIn }),
  }
  return withRecord(declared, store, begin, options, async (opened, held) => {
    // What was prepared for another schema, or with other answers, is of no use.
    if (held.record.phase === 'prepare' && (known === undefined || begin.phase !== 'prepare' || !isFor(held.record, to, hints))) {
      await forgetStaged(opened)
      await held.save(begin)
    } else if (held.record.phase === 'prepare' && options.savedIn !== undefined) await held.save({ saved: options.savedIn })
    const pairs = new MatchedModels(storedModel(held.record.from, to), declared.model, held.record.phase === 'prepare' || held.record.phase === 'copy' || held.record.phase === 'freeze' ? answers : answersIn(held.record.hints))
    let done = 0
    const advance = async (documents: number): Promise<void> => {
      onProgress?.((done += documents), Math.max(done, (held.record.places ? 1 : 2) * total))
      await budget.pause(signal)
    }
    return use({ declared, store: withMeter(opened, budget.meter), pairs, work: workOf(pairs), held, fits: createValueCheck(declared, true), keep, advance }, budget)
  })
}

interface Way {
  /** Where documents can have both forms at once. */
  readonly moves?: readonly PropertyMoves[]
  /** Where they are copied elsewhere. */
  readonly places?: ContainerLocations | undefined
}

/** Neither, if no gateway runs: then documents are replaced where they are. */
async function wayOf(declared: Declaration, store: Store, from: DeclaredStorage, answers: Answers, options: ApplyOptions): Promise<Way> {
  if (!options.online && (await countRunningGateways(store, options.clock ?? processClock)) === 0) return {}
  const pairs = new MatchedModels(storedModel(from, declaredStorage(declared.model)), declared.model, answers)
  const moves = await movesBeside(declared, store, from, pairs)
  return typeof moves === 'string' ? { places: nextLocations(declared, from, pairs) } : { moves }
}

/** What gateways can go on through, or why they cannot. */
async function movesBeside(declared: Declaration, store: Store, before: DeclaredStorage, pairs: MatchedModels): Promise<readonly PropertyMoves[] | string> {
  if (store.supports.atomic !== 'store') return 'on this store a document and what follows from it are not written as one'
  if (declared.tenants) return 'tenants share the store'
  if ((await readMode(store))?.mode === 'feed') return 'snapshots follow through the change feed (QUIRE_EFFECTS)'
  if ((await pendingFields(store)).size > 0) return 'snapshots, lists or counts are still being computed'
  const pending = differences(before, declaredStorage(declared.model)).find(({ change }) => classes[change] === 'catch-up')
  return pending ? `${pending.at} is to be computed` : propertyMovesOf(pairs, workOf(pairs))
}

async function withRecord<T>(declared: Declaration, store: Store, begin: Omit<MigrationRecord, 'owner'>, { openWith, clock = processClock, silenceMs = defaultSilenceMs }: ApplyOptions, use: (opened: Store, held: HeldRecord) => Promise<T>): Promise<T> {
  const opened = openWith ? await openWith(layoutOfBoth(storedModel(begin.from, begin.to), declared.layout, declared.tenants)) : store
  try {
    const held = await HeldRecord.take(opened, begin, () => clock.pause(silenceMs))
    try {
      return await use(opened, held)
    } finally {
      await held.release()
    }
  } finally {
    if (opened !== store) await opened.close()
  }
}

/** The answers as they are kept: what was prepared with other ones is prepared again. */
function hintsOf({ renamed, dropped, defaults }: Answers): Json {
  return { renamed: Object.fromEntries(renamed), dropped: [...dropped].toSorted(), defaults: Object.fromEntries([...defaults].map(([at, value]) => [at, typeof value === 'function' ? String(value) : value])) }
}


/** Documents that are prepared have their defaults already. */
function answersIn(hints: Json): Answers {
  const { renamed, dropped } = hints as { readonly renamed: Readonly<Record<string, string>>; readonly dropped: readonly string[] }
  return { renamed: new Map(Object.entries(renamed)), dropped: new Set(dropped), defaults: new Map() }
}
