// What the schema's own resolvers find in their context. Reads go through the same loaders as those of generated fields, so they
// are batched with them, checked by the same rules, and told in the cost report under the field that asked.

import type { Viewer } from '../../auth/viewer.ts'
import type { ChangeEvent } from '../../feed/change-stream.ts'
import type { Body, StoredTypes } from '../../model/json/json.ts'
import type { PageArguments } from '../../plan/field-arguments.ts'
import type { StoredDocument } from '../../store/store.ts'
import type { Mutate } from '../../write/mutations.ts'
import type { PageInfo } from '../relay-connection.ts'

/**
 * The context as the schema's own resolvers see it.
 *
 * @example
 * ```ts
 * const addComment = (_: unknown, { input }: { input: { postId: string; text: string } }, { quire }: ResolverContext, info: GraphQLResolveInfo) =>
 *   quire.mutate(input, info, async (change) => ({ post: await change.append('Post.comments', input.postId, input) }))
 * ```
 */
export interface ResolverContext<Types extends StoredTypes = StoredTypes> {
  readonly quire: {
    /** A document by its id; undefined if there is none that the viewer may see. `key` has properties of its partition key, where that is not the id: with all of them it is a point read. */
    load<T extends keyof Types & string>(typeName: T, id: string, key?: Readonly<Record<string, string | number>>): Promise<StoredDocument<Types[T]> | undefined>
    /** Documents by their ids, in the same order. */
    loadMany<T extends keyof Types & string>(typeName: T, ids: readonly string[]): Promise<(StoredDocument<Types[T]> | undefined)[]>
    /** A page of a list of documents, as the generated list of the type would answer it. Nothing is read before it is asked for. */
    query<T extends keyof Types & string>(typeName: T, args?: DocumentQuery): DocumentPage<Types[T]>
    /** The signed-in user; undefined without one. */
    readonly viewer: Viewer | undefined
    /** Runs a mutation: all changes are written as one, and snapshots, lists and counts follow. */
    readonly mutate: Mutate<Types>
    /** Documents as they change, for subscriptions. */
    readonly changes: {
      /** Documents of a type, until the subscriber ends the iteration; `after` is the cursor of an event to resume after. */
      of<T extends keyof Types & string>(typeName: T, after?: string | null): AsyncGenerator<ChangeEvent<Types[T]>>
    }
  }
}

/**
 * The arguments of a generated list, as clients write them.
 *
 * @example
 * ```ts
 * const newest: DocumentQuery = { filter: { year: { gte: 2020 } }, orderBy: { field: 'YEAR', direction: 'DESC' }, first: 10 }
 * ```
 */
export interface DocumentQuery extends PageArguments {
  readonly filter?: Readonly<Record<string, unknown>> | null
  readonly orderBy?: unknown
}

/**
 * A page of a list of documents: what a resolver of a connection returns, or reads itself.
 *
 * @example
 * ```ts
 * const titles = async (page: DocumentPage): Promise<unknown[]> => (await page.nodes()).map(({ body }) => body['title'])
 * ```
 */
export interface DocumentPage<B extends Body = Body> {
  nodes(): PromiseLike<readonly StoredDocument<B>[]> | readonly StoredDocument<B>[]
  pageInfo(): PromiseLike<PageInfo> | PageInfo
  totalCount(): PromiseLike<number> | number
}
