// The generated mutations (`createX`, `updateX`, `deleteX`) and `quire.mutate`, which they and custom mutations run through.
// Planning and storing the change is the writer's part.

import type { GraphQLResolveInfo } from 'graphql'
import type { Declaration } from '../relations/declaration.ts'
import { clientError } from '../graphql-errors.ts'
import type { Reads } from '../read/reads.ts'
import type { StoredTypes } from '../model/json/json.ts'
import type { StoredDocument } from '../store/store.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Input } from './input/input.ts'
import { Permission } from './permission.ts'
import type { UnitOfWork, Writer } from './writer.ts'

/**
 * The `input` argument of a mutation.
 *
 * @example
 * ```ts
 * type AddComment = MutationInput & { readonly postId: string; readonly text: string }
 * ```
 */
export interface MutationInput extends Input {
  readonly clientMutationId?: string | null
}

/**
 * Runs one unit of work and returns the mutation's payload: the documents that the work names, and `clientMutationId`.
 *
 * @example
 * ```ts
 * const resolvers = {
 *   Mutation: {
 *     feedBeast: (_: unknown, { input }: { input: MutationInput & { id: string } }, { quire }: { quire: { mutate: Mutate } }, info: GraphQLResolveInfo) =>
 *       quire.mutate(input, info, async (change) => ({ beast: change.change('Beast', await change.get('Beast', input.id), { fed: true }) })),
 *   },
 * }
 * ```
 */
export type Mutate<Types extends StoredTypes = StoredTypes> = <T extends Record<string, Entry>>(
  input: MutationInput, info: GraphQLResolveInfo, work: UnitOfWork<T, Types>,
) => Promise<{ clientMutationId: string | null } & { [K in keyof T]: StoredDocument<NonNullable<T[K]['after']>> }>

export interface MutationContext {
  readonly quire: { readonly mutate: Mutate }
}

type MutationResolver = (source: unknown, args: { input: MutationInput & { id: string } }, context: MutationContext, info: GraphQLResolveInfo) => unknown

export function createMutations({ model }: Declaration): Record<string, MutationResolver> {
  return Object.fromEntries([...model.documents.values()].flatMap(({ name, singular }): [string, MutationResolver][] => [
    [`create${name}`, (_, { input }, { quire }, info) => quire.mutate(input, info, async (change) => ({ [singular]: await change.create(name, input) }))],
    [`update${name}`, (_, { input }, { quire }, info) => quire.mutate(input, info, async (change) => ({ [singular]: await change.update(name, input) }))],
    [`delete${name}`, (_, { input }, { quire }, info) => quire.mutate(input, info, async (change) => ({ [singular]: await change.delete(name, input) }))],
  ]))
}

/** `mutate` for one request. Reads later in the same request see what it wrote. */
export function createMutate(writer: Writer, reads: Reads, onWritten: () => Promise<unknown>): Mutate {
  return async ({ clientMutationId = null }, info, work) => {
    const field = `${info.parentType.name}.${info.fieldName}`
    const documents = await writer.write(work, reads.meterFor({ field, place: info.path, stage: 0 }), reads.access && new Permission(reads.access, field))
    reads.forget()
    // The write is committed, so a failure from here on must not report it as failed.
    await onWritten().catch(() => undefined)
    return { ...documents, clientMutationId }
  }
}

/** `mutate` for queries and subscriptions. */
export const refuseToMutate: Mutate = () => Promise.reject(clientError('FORBIDDEN', 'Cannot write: this operation is not a mutation. Send a mutation.'))
