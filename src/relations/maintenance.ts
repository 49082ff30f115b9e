// How changes of one document reach the snapshots, lists and counts that other documents keep. A maintenance is
// declarative: it says which holders a change affects and how they must look now. So it can be repeated,
// reordered and resumed, and always gives the same result. Within one transaction, where a change is applied exactly once, it
// may reach the same result from the difference.

import type { Key } from '../model/keys/key.ts'
import type { DocumentType } from '../model/model.ts'
import type { Measure, Measured } from '../store/aggregate/aggregation.ts'
import type { Condition } from '../store/query.ts'
import type { Body } from '../model/json/json.ts'

export interface Maintenance {
  /** The type whose documents are copied, listed or counted. */
  readonly source: DocumentType
  /** The type whose documents keep the snapshot, the list or the count. */
  readonly holder: DocumentType
  /** Whether no holder has to change where a source was one of these and is now the other. */
  readonly unchanged: (before: Body, after: Body) => boolean
  /** The holders that a change of a source may affect, unless it left them `unchanged`. */
  readonly affected: (change: SourceChange, view: View) => Promise<readonly ViewedDocument[]>
  /** What holders show of a source, as text. If a change leaves it the same, no holder has to change. */
  readonly shown?: (source: Body) => string
  /**
   * The holder as it must be after these changes of as many sources: a long list is gone through once for all of them. `stored` is the
   * holder before anything that is pending; undefined if it is new.
   */
  readonly refresh: (holder: Body, changes: readonly SourceChange[], view: View, stored?: Body) => Body | Promise<Body>
}

export interface SourceChange {
  readonly id: string
  /** As it is now; undefined when it was deleted. */
  readonly after: Body | undefined
  /** Its versions since the holders were last refreshed: any of them may still be in a holder. */
  readonly past: readonly Body[]
  /** Whether `past` has complete documents, which show what did not change; otherwise it has pointers only. */
  readonly complete: boolean
  /**
   * The version that all stored holders show, undefined for no document. Given where the source and its holders were read and
   * are written in one transaction, so that no writer can change either in between and the change cannot be applied twice. Then
   * a count can be kept by difference. The feed may be late and repeats changes, so there it is absent.
   */
  readonly shownVersion?: { readonly body: Body | undefined }
}

/** A document in a view, as it will be. */
export interface ViewedDocument {
  readonly after: Body | undefined
}

/**
 * A document of a changeset: as it was found, and as it will be; undefined where it does not exist.
 *
 * @example
 * ```ts
 * const post: Entry = await change.get('Post', 'p1')
 * console.log(post.after?.title)
 * ```
 */
export interface Entry<B extends Body = Body> {
  readonly container: string
  readonly key: Key
  /** @internal */
  readonly type: DocumentType | undefined
  readonly etag: string | undefined
  readonly before: B | undefined
  readonly after: B | undefined
}

/**
 * A document that was found, so it has a content.
 *
 * @example
 * ```ts
 * const post: FoundEntry = await change.get('Post', 'p1')
 * console.log(post.after['title'])
 * ```
 */
export type FoundEntry<B extends Body = Body> = Entry<B> & { readonly after: B }

/** The documents as they will be when everything pending is written. */
export interface View {
  read(wanted: readonly { type: DocumentType; id: string }[]): Promise<readonly (ViewedDocument | undefined)[]>
  find(type: DocumentType, where: Condition): Promise<readonly ViewedDocument[]>
  count(type: DocumentType, where: Condition): Promise<number>
  /** The values of documents. */
  measure(type: DocumentType, where: Condition, measure: Measure): Promise<Measured>
}

/** The holders that the source points at or pointed at. */
export async function pointedAt(holder: DocumentType, idsIn: (source: Body) => readonly string[], { after, past }: SourceChange, view: View): Promise<ViewedDocument[]> {
  const ids = new Set([...past, ...(after ? [after] : [])].flatMap(idsIn))
  const found = await view.read([...ids].map((id) => ({ type: holder, id })))
  return found.filter((one) => one !== undefined)
}

export function sameIds(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  return some.every((id, at) => id === others[at]) || some.toSorted().join('\n') === others.toSorted().join('\n')
}
