// Copies all documents that exist when an online migration begins, type by type and page by page. A checkpoint is kept after every page.

import type { Json } from '../../../../model/json/json.ts'
import { selectionOf } from '../../../../read/selection.ts'
import { documentPages } from '../../../check/document-pages.ts'
import type { TypeWork } from '../../transform/type-work.ts'
import type { Digests } from '../../run/digests.ts'
import { partsOf, type MigrationRun, type Part } from '../../run/migration-run.ts'
import { refusal } from '../../run/all-fit.ts'
import { copyDocuments } from './copy-documents.ts'

interface Checkpoint {
  readonly tenant: string | null
  readonly type: string
  /** The last document; null if all of them are copied. */
  readonly after: string | null
}

/** Returns how many were copied. Throws if some cannot be copied. */
export async function copyAll(run: MigrationRun, totals: Digests): Promise<number> {
  const { held, work } = run
  const done = held.record.checkpoint as unknown as Checkpoint | null
  let [isBehind, documents] = [done !== null, held.record.copied?.documents ?? 0]
  const unfit: { part: Part; work: TypeWork; ids: string[] }[] = []
  const total = held.record.copied?.total ?? 0
  for (const part of await partsOf(run)) {
    for (const typeWork of work.types) {
      const isHere = isBehind && done!.type === typeWork.old.name && done!.tenant === (part.tenant ?? null)
      if (isBehind && !isHere) continue
      isBehind = false
      if (isHere && done!.after === null) continue
      const after = isHere ? { value: done!.after!, id: done!.after! } : undefined
      for await (const page of documentPages(part.store, selectionOf(typeWork.old), ['id'], after)) {
        const misfits = await copyDocuments(run, part, typeWork, page.map(({ key }) => key.id), totals)
        if (misfits.size > 0) unfit.push({ part, work: typeWork, ids: [...misfits.keys()] })
        documents += page.length
        // What does not fit must be found again.
        await held.save(unfit.length > 0 ? {} : { checkpoint: checkpoint(part, typeWork, page.at(-1)!.key.id), copied: { documents, total: Math.max(total, documents) } })
        await run.advance(page.length)
      }
      if (unfit.length === 0) await held.save({ checkpoint: checkpoint(part, typeWork, null) })
    }
  }
  // Another document may have been in the way, and be gone now.
  const lines: string[] = []
  for (const { part, work: typeWork, ids } of unfit) {
    for (const [id, why] of await copyDocuments(run, part, typeWork, ids, totals)) lines.push(`${typeWork.old.name} ${id}: ${why}.`)
  }
  if (lines.length > 0) throw refusal(lines)
  return documents
}

function checkpoint({ tenant }: Part, { old }: TypeWork, after: string | null): Json {
  return { tenant: tenant ?? null, type: old.name, after }
}
