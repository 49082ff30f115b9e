// Puts back what a repair took out, the last change first. A property that has changed since is left alone: the repair is not the
// last to have written it.

import { sameJson } from '../../../model/json/same-json.ts'
import type { Body } from '../../../model/json/json.ts'
import type { Store, StoredDocument, Write } from '../../../store/store.ts'
import { TenantStore } from '../../../store/tenants/tenant-store.ts'
import { withNextVersion } from '../../../write/snapshot-versions.ts'
import { maxLooks } from '../check-run.ts'
import { findConflict } from './write-repaired.ts'
import type { UndoEntry } from './undo-log.ts'

export interface Undone {
  readonly taken: UndoEntry
  /** `before`: the document is as it was already. `changed`: something else has been written since, which stays. */
  readonly outcome: 'restored' | 'before' | 'changed'
}

/** `taken` in the order in which it was taken out. */
export async function* undoRepair(store: Store, taken: readonly UndoEntry[]): AsyncGenerator<Undone> {
  for (const each of taken.toReversed()) {
    yield { taken: each, outcome: await undoOne(each.tenant === undefined ? store : new TenantStore(store, each.tenant), each) }
  }
}

async function undoOne(store: Store, taken: UndoEntry): Promise<Undone['outcome']> {
  const { container, partition, id } = taken
  const key = { partition, id }
  for (let look = 1; look <= maxLooks; look++) {
    const [current] = await store.readMany(container, [key])
    const undo = undoOf(taken, current)
    if (typeof undo === 'string') return undo
    if (!(await findConflict(store, [{ ...undo, container, key }]))) return 'restored'
  }
  return 'changed'
}

type Undo = { readonly kind: 'put'; readonly body: Body; readonly only: NonNullable<Write['only']> } | { readonly kind: 'delete'; readonly only: { readonly ifMatch: string } }

/** The write that undoes it, or why there is none. */
function undoOf({ before, after }: UndoEntry, current: StoredDocument | undefined): Undo | 'before' | 'changed' {
  if (!current) {
    if (!before) return 'before'
    // What was deleted is put back as a whole.
    return after ? 'changed' : { kind: 'put', body: before, only: 'if-absent' }
  }
  const { body, etag } = current
  const only = { ifMatch: etag }
  if (!before) return after && has(body, after, after) ? { kind: 'delete', only } : 'changed'
  if (!after) return has(body, before, before) ? 'before' : 'changed'
  if (has(body, before, after)) return 'before'
  if (!has(body, after, before)) return 'changed'
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !(name in after)))
  return { kind: 'put', body: withNextVersion({ ...rest, ...before }), only }
}

/** Whether a document has these properties, and none of the others that are not among them. */
function has(body: Body, properties: Body, others: Body): boolean {
  return [...new Set([...Object.keys(properties), ...Object.keys(others)])].every((name) => isVersion(name) || sameJson(body[name], properties[name]))
}

function isVersion(name: string): boolean {
  return name === '_v' || name === '_c'
}
