// Holds a store against its declaration: every document of every type, and what belongs to them.
// Findings come one by one as they are found, so that a check of any size needs the memory of a page.

import { setImmediate as turn } from 'node:timers/promises'
import type { Declaration } from '../../relations/declaration.ts'
import { selectionOf } from '../../read/selection.ts'
import type { DocumentType, Field, Model } from '../../model/model.ts'
import { kindOf } from '../../relations/index.ts'
import type { Store } from '../../store/store.ts'
import { checkDocuments } from './check-documents.ts'
import { checkLists } from './check-lists.ts'
import type { Checking } from './checking.ts'
import type { Finding } from './finding.ts'

export interface CheckOptions {
  /** Mends what can be mended. */
  readonly repair?: boolean
  readonly onProgress?: (progress: Progress) => void
  /** Ends the check after what is under way; what has been repaired by then stays so. */
  readonly signal?: AbortSignal
}

/** How far a check has come in this round: a repair goes over everything again until there is nothing more to do. */
export interface Progress {
  readonly round: number
  readonly documents: number
  readonly total: number
}

/** What is computed from a copy and copied again takes a round for each step; only a circle would go on for ever. */
const mostRounds = 100

export async function* checkStore(declaration: Declaration, store: Store, { repair = false, onProgress, signal }: CheckOptions = {}): AsyncGenerator<Finding> {
  for (let round = 1; round <= mostRounds; round++) {
    const total = onProgress ? await countAll(declaration.model, store) : 0
    let documents = 0
    let repaired = false
    const looked = async (more: number) => {
      documents += more
      onProgress?.({ round, documents, total })
      // A store in this process answers without anyone waiting: this is when signals and timers have their turn.
      await turn()
      signal?.throwIfAborted()
    }
    await looked(0)
    for await (const finding of checkOnce({ declaration, store, repair, looked })) {
      repaired ||= finding.repair === 'done'
      // What stays was told in the first round.
      if (round === 1 || finding.repair === 'done') yield finding
    }
    if (!repaired) return
  }
  throw new Error(`Repairs did not come to rest after ${mostRounds} rounds: the schema's copies go round in a circle.`)
}

async function* checkOnce(checking: Checking): AsyncGenerator<Finding> {
  const { model } = checking.declaration
  for (const type of model.documents.values()) yield* checkDocuments(checking, type)
  for (const { owner, field, part } of listsIn(model)) yield* checkLists(checking, owner, field, part)
}

/** The fields whose lists are kept in parts. */
function listsIn(model: Model): { owner: DocumentType; field: Field; part: DocumentType }[] {
  return [...model.documents.values()].flatMap((owner) => [...owner.fields.values()].flatMap((field) => {
    const part = kindOf(field).partType?.(field, model)
    return part ? [{ owner, field, part }] : []
  }))
}

async function countAll(model: Model, store: Store): Promise<number> {
  const types = [...model.documents.values(), ...listsIn(model).map(({ part }) => part)]
  const counts = await Promise.all(types.map((type) => store.count(selectionOf(type))))
  return counts.reduce((sum, count) => sum + count, 0)
}
