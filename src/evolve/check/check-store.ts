// Compares a store with its declaration: every document of every type, and every bucketed list. Findings are yielded one
// by one, so a check of any size needs the memory of one page.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Declaration } from '../../relations/declaration.ts'
import { selectionOf } from '../../read/selection.ts'
import type { Model } from '../../model/model.ts'
import type { Store } from '../../store/store.ts'
import { checkDocuments } from './check-documents.ts'
import { bucketedFields } from './bucketed-lists.ts'
import { checkBucketedLists } from './check-bucketed-lists.ts'
import { checkUniqueFields } from './unique/check-unique.ts'
import type { CheckRun } from './check-run.ts'
import type { Finding } from './finding.ts'
import { createValueCheck } from './invalid-values.ts'
import { refuseRiskyRepair } from './repair/repair-risks.ts'
import type { AcceptLoss } from './repair/accepted-loss.ts'
import type { KeepUndoEntries } from './repair/undo-log.ts'

export interface CheckOptions {
  readonly repair?: boolean
  /** What a repair may remove although nothing proves it wrong; default nothing. */
  readonly acceptLoss?: AcceptLoss
  /** Keeps what a repair takes out, before it does. */
  readonly keep?: KeepUndoEntries
  readonly onProgress?: (progress: Progress) => void
  /** Stops the check after the current page. What it has repaired by then stays repaired. */
  readonly signal?: AbortSignal
}

/** The progress within one round. A repair checks everything again until a round repairs nothing. */
export interface Progress {
  readonly round: number
  readonly documents: number
  readonly total: number
}

/** A copied field can be copied again, one round per step. Only a circle needs more rounds than this. */
const maxRounds = 100

export async function* checkStore(declaration: Declaration, store: Store, options: CheckOptions = {}): AsyncGenerator<Finding> {
  await lookBeforeRepair(declaration, store, options)
  yield* checkInRounds(declaration, store, options)
}

/** Throws if a repair would probably do harm. */
export async function lookBeforeRepair(declaration: Declaration, store: Store, { repair, acceptLoss = false, signal }: CheckOptions): Promise<void> {
  if (repair) await refuseRiskyRepair(declaration, store, acceptLoss, () => giveTurn(signal))
}

/** A store in this process answers synchronously: without this, no signal or timer would ever be handled. */
async function giveTurn(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn()
  signal?.throwIfAborted()
}

/** For callers that have looked before. */
export async function* checkInRounds(declaration: Declaration, store: Store, { repair = false, acceptLoss = false, keep = () => {}, onProgress, signal }: CheckOptions): AsyncGenerator<Finding> {
  const fits = createValueCheck(declaration)
  for (let round = 1; round <= maxRounds; round++) {
    const total = onProgress ? await countAll(declaration.model, store) : 0
    let documents = 0
    let repaired = false
    const checked = async (more: number) => {
      documents += more
      onProgress?.({ round, documents, total })
      await giveTurn(signal)
    }
    await checked(0)
    for await (const finding of checkOnce({ declaration, store, repair, acceptLoss, keep, fits, checked })) {
      repaired ||= finding.repair === 'done'
      // The first round has reported everything that cannot be repaired.
      if (round === 1 || finding.repair === 'done') yield finding
    }
    if (!repaired) return
  }
  throw new Error(`Repair did not finish after ${maxRounds} rounds: the schema copies fields in a circle. Stop copying one of them.`)
}

async function* checkOnce(run: CheckRun): AsyncGenerator<Finding> {
  const { model } = run.declaration
  for (const type of model.documents.values()) yield* checkDocuments(run, type)
  for (const type of model.documents.values()) yield* checkUniqueFields(run, type)
  for (const { owner, field, part } of bucketedFields(model)) yield* checkBucketedLists(run, owner, field, part)
}

async function countAll(model: Model, store: Store): Promise<number> {
  const types = [...model.documents.values(), ...bucketedFields(model).map(({ part }) => part)]
  const counts = await Promise.all(types.map(async (type) => store.count(selectionOf(type))))
  return counts.reduce((sum, count) => sum + count, 0)
}
