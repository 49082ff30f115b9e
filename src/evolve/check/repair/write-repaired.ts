// Writes repaired documents: each only over the version that was checked, and in chunks, so that a repair that is
// stopped loses at most its last chunk.

import { keyText, partitionText } from '../../../model/keys/key.ts'
import { ConflictError } from '../../../store/store-errors.ts'
import type { Store, Write } from '../../../store/store.ts'
import type { Finding } from '../finding.ts'
import type { Inspection } from '../inspect-document.ts'
import { undoEntriesFor, type KeepUndoEntries } from './undo-log.ts'

const chunkSize = 100

/** Returns those that were written. The others need no write, or another writer changed them meanwhile. */
export async function writeRepaired(store: Store, container: string, inspections: readonly Inspection[], keep: KeepUndoEntries): Promise<Set<Inspection>> {
  const written = new Set<Inspection>()
  for (const chunk of chunksOf(store, inspections.filter(({ repaired }) => repaired))) {
    for (let rest = chunk; rest.length > 0;) {
      const writes = rest.map(({ document: { key, etag }, repaired }): Write => ({ kind: 'put', container, key, body: repaired!, only: { ifMatch: etag } }))
      await keep(undoEntriesFor(writes, rest.map(({ document }) => document)))
      const conflict = await findConflict(store, writes)
      if (!conflict) {
        for (const one of rest) written.add(one)
        break
      }
      rest = rest.filter(({ document }) => keyText(document.key) !== keyText(conflict.key))
    }
  }
  return written
}

/** Writes all or nothing. Returns the write that conflicts with another writer's, if there is one. */
export async function findConflict(store: Store, writes: readonly Write[]): Promise<Write | undefined> {
  try {
    await store.write(writes)
    return undefined
  } catch (error) {
    const conflict = error instanceof ConflictError && writes.find(({ key }) => keyText(key) === keyText(error.key))
    if (!conflict) throw error
    return conflict
  }
}

/** The findings after the repair. */
export function asRepaired(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => (finding.repair === 'possible' ? { ...finding, repair: 'done' } : finding))
}

/** Groups that the store can write atomically. */
function chunksOf(store: Store, all: readonly Inspection[]): Inspection[][] {
  const scopes = Map.groupBy(all, ({ document }) => (store.supports.atomic === 'store' ? '' : partitionText(document.key.partition)))
  return [...scopes.values()].flatMap((scope) =>
    Array.from({ length: Math.ceil(scope.length / chunkSize) }, (_, chunk) => scope.slice(chunk * chunkSize, (chunk + 1) * chunkSize)))
}
