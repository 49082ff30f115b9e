// What is stored when the schema has changed under it. Documents in memory cannot be reached by any other
// command, so what is merely worked out in them (copies, lists, counts) is worked out anew here. Anywhere
// else it is the caller's to say when, and a line says how.

import { checkAllTenants } from '../../evolve/check/check-tenants.ts'
import type { Finding } from '../../evolve/check/finding.ts'
import type { Config } from '../../config/config.ts'
import type { Declaration } from '../../relations/declaration.ts'
import { openMemoryStore, type Memory } from '../../store/memory/memory-store.ts'

/** How everything is stored, as a text to compare. */
export function storageOf({ model }: Declaration): string {
  const types = [...model.documents.values(), ...model.contained.values()]
  return JSON.stringify(types.map((type) => ({ ...type, fields: [...type.fields.values()].map(({ name, target, shape, storage }) => ({ name, target, shape, storage })) })))
}

export async function migrateMemoryStore(config: Config, declaration: Declaration, memory: Memory, print: (line: string) => void): Promise<void> {
  if (config.store.kind !== 'memory') {
    print('What is stored was written under the old schema: "quire check" says what differs, and "quire check --repair" mends it.')
    return
  }
  const store = await openMemoryStore(declaration.layout, memory)
  const found = await Array.fromAsync(checkAllTenants(declaration, store))
  // Emptying references would lose what the next save may bring back.
  const losing = found.filter(({ kind, repair }) => kind === 'dangling' && repair === 'possible')
  if (losing.length > 0) return print(`In memory ${documents(losing)} now at what does not exist, so nothing was mended: ${losing[0]!.sentence}`)
  const mended = await Array.fromAsync(checkAllTenants(declaration, store, { repair: true }))
  const done = mended.filter(({ repair }) => repair === 'done')
  if (done.length > 0) print(`In memory ${done.length} ${done.length === 1 ? 'copy, list or count was' : 'copies, lists and counts were'} worked out anew.`)
  const left = mended.find(({ repair }) => repair === 'impossible')
  if (left) print(`In memory not everything is as it is declared now: ${left.sentence}`)
}

function documents(found: readonly Finding[]): string {
  return found.length === 1 ? 'one reference points' : `${found.length} references point`
}
