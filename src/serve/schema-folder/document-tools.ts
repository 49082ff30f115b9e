// What `documents.ts` and `seed.ts` are given to make documents with, so that they need to know nothing about buckets.

import { ConfigError } from '../../errors.ts'
import type { Body } from '../../model/json/json.ts'
import { fieldAt, type Model } from '../../model/model.ts'
import { kindOf } from '../../relations/kinds.ts'

/**
 * The argument of the functions that `documents.ts` and `seed.ts` export.
 *
 * @example
 * ```ts
 * export function documents({ withEntries }: DocumentTools): DocumentsByType {
 *   const { document, buckets } = withEntries('Post.comments', { id: 'p1', title: 'Hello' }, [{ id: 'c1', text: 'First!' }])
 *   return { Post: [document], posts: buckets }
 * }
 * ```
 */
export interface DocumentTools {
  /** The schema as Quire has read it. @internal */
  readonly model: Model
  /**
   * Puts entries, oldest first, into a `@bucketed` list, such as `Post.comments`: the newest few and the count into the
   * document, the rest into bucket documents, which belong under the name of the document's container.
   */
  readonly withEntries: <B extends Body>(field: string, document: B, entries: readonly Body[]) => DocumentWithBuckets<B>
}

/**
 * A document with the newest entries of its list, and the documents that hold the others.
 *
 * @example
 * ```ts
 * const { document, buckets }: DocumentWithBuckets = withEntries('Post.comments', post, comments)
 * ```
 */
export interface DocumentWithBuckets<B extends Body = Body> {
  readonly document: B
  readonly buckets: readonly Body[]
}

export function createDocumentTools(model: Model, file: string): DocumentTools {
  return {
    model,
    withEntries<B extends Body>(coordinate: string, document: B, entries: readonly Body[]) {
      const field = fieldAt(model, coordinate)
      const fill = field && kindOf(field).fill
      if (!fill) throw new ConfigError(`${file}: withEntries("${coordinate}"): ${field ? 'this field is not declared @bucketed' : 'the schema has no such field'}.`)
      const nameless = entries.findIndex(({ id }) => typeof id !== 'string')
      if (nameless >= 0) throw new ConfigError(`${file}: entry ${nameless + 1} of ${coordinate} of ${String(document['id'])} has no id. Give every entry an id, as a string.`)
      const { owner, parts } = fill(field, document, [], entries, model)
      return { document: owner as B, buckets: parts.map(({ body }) => body) }
    },
  }
}
