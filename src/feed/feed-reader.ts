// Reads pages of the change feed as events for subscribers. Which events a subscriber waits for, and how many, is not
// known here.

import { isOfType } from '../read/selection.ts'
import type { Body } from '../model/json/json.ts'
import type { DocumentType } from '../model/model.ts'
import type { Change, FeedPoints, Store, StoredDocument } from '../store/store.ts'

/**
 * What happened to a document, as far as its latest change says.
 *
 * @example
 * ```ts
 * const isGone = (kind: ChangeKind): boolean => kind === 'DELETED'
 * ```
 */
export type ChangeKind = 'CREATED' | 'UPDATED' | 'DELETED'

export interface FeedEvent {
  readonly kind: ChangeKind
  /** Of a deleted document, what it was last. */
  readonly document: StoredDocument
  /** Where a subscriber that has received the event continues. */
  readonly points: FeedPoints
}

export interface FeedPage {
  readonly changes: readonly Change[]
  readonly points: FeedPoints
  readonly end: boolean
}

/** Whose changes: those of the whole store, or of one tenant. */
export interface FeedScope {
  readonly store: Store
  /** The change as the scope sees it; undefined for a change outside the scope. */
  readonly visible: (change: Change) => Change | undefined
  /** Cursors are signed for one scope and do not work in another. */
  readonly cursorScope: string
}

const pageSize = 100

export class FeedReader {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  async page(part: string, from: FeedPoints): Promise<FeedPage> {
    const { changes, point, end } = await this.#store.changes(part, from[part], pageSize)
    return { changes, points: { ...from, [part]: point }, end }
  }

  async eventsIn({ changes, points }: FeedPage, before: FeedPoints, { type, scope }: { readonly type: DocumentType; readonly scope: FeedScope }): Promise<FeedEvent[]> {
    const visible = changes.flatMap((change) => (change.container === type.container ? (scope.visible(change) ?? []) : [])).filter(({ body }) => isOfType(type, body))
    const keys = visible.filter(({ deleted }) => !deleted).map(({ key }) => key)
    // Read again as they are now, because the feed has no etags.
    const documents = (keys.length > 0 ? await scope.store.readMany(type.container, keys) : []).values()
    const found = visible.flatMap((change): Pick<FeedEvent, 'kind' | 'document'>[] => {
      if (change.deleted) return [{ kind: 'DELETED', document: lastOf(change) }]
      const document = documents.next().value
      // One that has been deleted since is told when the feed comes to that.
      return document ? [{ kind: isFirstVersion(document.body) ? 'CREATED' : 'UPDATED', document }] : []
    })
    // Only the last event completes the page: a subscriber that disconnects before it receives some events again.
    return found.map((event, index) => ({ ...event, points: index === found.length - 1 ? points : before }))
  }

  /** The present end of all parts. */
  async end(): Promise<FeedPoints> {
    const parts = await this.#store.feedParts()
    return Object.fromEntries(await Promise.all(parts.map(async (part) => [part, await this.#store.feedEnd(part)] as const)))
  }
}

function lastOf({ key, body }: Change): StoredDocument {
  return { key, etag: '', body, bytes: 0 }
}

/** \`_v\` counts the writes of a document; other programs write none. */
function isFirstVersion(body: Body): boolean {
  const version = body['_v']
  return typeof version !== 'number' || version <= 1
}
