// How changes of one document reach what others keep of it. A maintenance is stated, not stepped:
// it says whom a change concerns and what they must look like now, so it can be repeated, reordered
// and resumed, and always ends the same.

import type { Key } from '../model/keys/key.ts'
import type { DocumentType } from '../model/model.ts'
import type { Condition } from '../store/query.ts'
import type { Body } from '../model/json/json.ts'

export interface Maintenance {
  /** The type whose documents are copied, listed or counted. */
  readonly source: DocumentType
  /** The type whose documents keep the copy, the list or the count. */
  readonly holder: DocumentType
  /** The holders that a change of a source may concern. */
  readonly concerned: (change: SourceChange, view: View) => Promise<readonly Held[]>
  /** What holders show of a source, as text; where it is the same, they need not be told. */
  readonly shown?: (source: Body) => string
  /** The holder as it has to be, now that the source is what it is. */
  readonly refresh: (holder: Body, change: SourceChange, view: View) => Body | Promise<Body>
}

export interface SourceChange {
  readonly id: string
  /** As it is now; undefined when it is gone. */
  readonly after: Body | undefined
  /** As it has been since holders were last made true: everything that could still be found somewhere. */
  readonly past: readonly Body[]
  /** Whether `past` is complete documents, so that what did not change can be seen; otherwise it has pointers only. */
  readonly complete: boolean
}

/** A document and what it looks like at the moment. */
export interface Held {
  readonly after: Body | undefined
}

/** A document of a changeset: as it was found, and as it will be; undefined is not there. */
export interface Entry {
  readonly container: string
  readonly key: Key
  readonly type: DocumentType | undefined
  readonly etag: string | undefined
  readonly before: Body | undefined
  readonly after: Body | undefined
}

/** The documents as they will be once everything pending is written. */
export interface View {
  read(wanted: readonly { type: DocumentType; id: string }[]): Promise<readonly (Held | undefined)[]>
  find(type: DocumentType, where: Condition): Promise<readonly Held[]>
  count(type: DocumentType, where: Condition): Promise<number>
}

/** The holders behind ids that the source points at or pointed at; none when it is known to point where it did. */
export async function pointedAt(holder: DocumentType, idsIn: (source: Body) => readonly string[], { after, past, complete }: SourceChange, view: View): Promise<Held[]> {
  if (complete && after && past.length > 0 && past.every((document) => sameIds(idsIn(document), idsIn(after)))) return []
  const ids = new Set([...past, ...(after ? [after] : [])].flatMap(idsIn))
  const found = await view.read([...ids].map((id) => ({ type: holder, id })))
  return found.filter((one) => one !== undefined)
}

function sameIds(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  return some.every((id, at) => id === others[at]) || some.toSorted().join('\n') === others.toSorted().join('\n')
}
