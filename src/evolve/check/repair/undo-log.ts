// The undo log of a repair: one line per document with the values that the repair replaces or removes. The line is written before the
// document, so every repair can be undone.

import type { Body } from '../../../model/json/json.ts'
import { sameJson } from '../../../model/json/same-json.ts'
import { keyText, type Partition } from '../../../model/keys/key.ts'
import type { StoredDocument, Write } from '../../../store/store.ts'

export interface UndoEntry {
  /** Where tenants share the store. */
  readonly tenant?: string
  readonly container: string
  readonly partition: Partition
  readonly id: string
  /** The properties that the repair changes, as they were; null if there was no document. */
  readonly before: Body | null
  /** The same properties as the repair writes them; null if it deletes the document. */
  readonly after: Body | null
}

/** Keeps what is taken out. Called before it is. */
export type KeepUndoEntries = (taken: readonly UndoEntry[]) => Promise<void> | void

/** `documents` are those that the writes replace. */
export function undoEntriesFor(writes: readonly Write[], documents: readonly StoredDocument[]): UndoEntry[] {
  const found = new Map(documents.map((document) => [keyText(document.key), document.body]))
  return writes.map((write) => {
    const { container, key: { partition, id } } = write
    const [before, after] = [found.get(keyText(write.key)) ?? null, write.kind === 'put' ? write.body : null]
    if (!before || !after) return { container, partition, id, before, after }
    const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !versions.has(name) && !sameJson(before[name], after[name]))
    return { container, partition, id, before: only(before, changed), after: only(after, changed) }
  })
}

/** They grow with every write, also with the one that undoes another. */
const versions = new Set(['_v', '_c'])

function only(body: Body, names: readonly string[]): Body {
  return Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
}
