// Adapts the documents of a memory store to a changed schema: no other command can reach it, so its snapshots, lists and counts are
// recomputed here. Documents of other stores catch up while they are served (serve/catch-up.ts).

import { checkAllTenants } from '../../evolve/check/check-tenants.ts'
import type { Finding } from '../../evolve/check/finding.ts'
import type { Config } from '../../config/config.ts'
import type { Declaration } from '../../relations/declaration.ts'
import { openMemoryStore, type Memory } from '../../store/memory/memory-store.ts'

/** How the schema stores everything, as a text to compare. */
export function storageOf({ model }: Declaration): string {
  const types = [...model.documents.values(), ...model.contained.values()]
  return JSON.stringify(types.map((type) => ({ ...type, fields: [...type.fields.values()].map(({ name, target, shape, storage }) => ({ name, target, shape, storage })) })))
}

/** Answers with what was done, in lines to print. */
export async function migrateMemoryStore(config: Config, declaration: Declaration, memory: Memory): Promise<string[]> {
  if (config.store.kind !== 'memory') return []
  const store = await openMemoryStore(declaration.layout, memory)
  const found = await Array.fromAsync(checkAllTenants(declaration, store))
  // A repair would empty these references, and the next save may make them valid again.
  const losing = found.filter(({ kind, repair }) => kind === 'dangling' && repair === 'lossy')
  if (losing.length > 0) return [`Memory store not repaired, because ${references(losing)} to a missing document: ${losing[0]!.sentence}`]
  const repaired = await Array.fromAsync(checkAllTenants(declaration, store, { repair: true }))
  const done = repaired.filter(({ repair }) => repair === 'done')
  const left = repaired.find(({ repair }) => repair === 'impossible')
  return [
    ...(done.length > 0 ? [`Memory store: recomputed ${done.length} ${done.length === 1 ? 'snapshot, list or count' : 'snapshots, lists and counts'}.`] : []),
    ...(left ? [`Memory store: not everything matches the new schema: ${left.sentence}`] : []),
  ]
}

function references(found: readonly Finding[]): string {
  return found.length === 1 ? 'one reference points' : `${found.length} references point`
}
