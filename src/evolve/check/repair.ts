// Writing what has been mended: only over the document that was judged, and in chunks, so that a
// repair that is cut short has lost nothing but its last chunk.

import { keyText, partitionText } from '../../model/keys/key.ts'
import { ConflictError, type Store, type Write } from '../../store/store.ts'
import type { Finding } from './finding.ts'
import type { Inspection } from './inspect-document.ts'

const chunkSize = 100

/** Answers with those that were written; the others have nothing to write, or somebody else was faster. */
export async function writeRepaired(store: Store, container: string, inspections: readonly Inspection[]): Promise<Set<Inspection>> {
  const written = new Set<Inspection>()
  for (const chunk of chunksOf(store, inspections.filter(({ mended }) => mended))) {
    for (let rest = chunk; rest.length > 0;) {
      const lost = await attempt(store, rest.map(({ document: { key, etag }, mended }) => ({ kind: 'put', container, key, body: mended!, only: { ifMatch: etag } })))
      if (!lost) {
        for (const one of rest) written.add(one)
        break
      }
      rest = rest.filter(({ document }) => keyText(document.key) !== keyText(lost.key))
    }
  }
  return written
}

/** Writes all or nothing, and answers with the write that somebody else was faster than. */
export async function attempt(store: Store, writes: readonly Write[]): Promise<Write | undefined> {
  try {
    await store.write(writes)
    return undefined
  } catch (error) {
    const lost = error instanceof ConflictError && writes.find(({ key }) => keyText(key) === keyText(error.key))
    if (!lost) throw error
    return lost
  }
}

/** The findings, now that what could be repaired has been. */
export function asRepaired(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => (finding.repair === 'possible' ? { ...finding, repair: 'done' } : finding))
}

/** Documents that the store can write as one. */
function chunksOf(store: Store, all: readonly Inspection[]): Inspection[][] {
  const scopes = Map.groupBy(all, ({ document }) => (store.supports.atomic === 'store' ? '' : partitionText(document.key.partition)))
  return [...scopes.values()].flatMap((scope) =>
    Array.from({ length: Math.ceil(scope.length / chunkSize) }, (_, chunk) => scope.slice(chunk * chunkSize, (chunk + 1) * chunkSize)))
}
