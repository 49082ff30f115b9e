// The generated mutations and `quire.mutate`, which they and custom mutations run through. What they are called is in
// model/api/generated-mutations.ts; many documents in one mutation are in units/write-many.ts.
// Planning and storing the change is the writer's part.

import type { GraphQLResolveInfo } from 'graphql'
import type { Declaration } from '../relations/declaration.ts'
import { badInput, clientError } from '../graphql-errors.ts'
import { generatedMutations, type GeneratedMutation } from '../model/api/generated-mutations.ts'
import type { Reads } from '../read/reads.ts'
import type { StoredTypes } from '../model/json/json.ts'
import type { StoredDocument } from '../store/store.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Input } from './input/input.ts'
import { Permission } from './permission.ts'
import { writeMany, writeOne } from './units/write-many.ts'
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

type OneInput = MutationInput & { readonly id: string }
type MutationResolver = (source: unknown, args: { input: OneInput; inputs: readonly OneInput[] }, context: MutationContext, info: GraphQLResolveInfo) => unknown

export interface MutationsOptions {
  /** Whether the store writes everything or nothing. */
  readonly atomic: boolean
  /** How many documents one mutation may write. */
  readonly maxInputs: number
}

export function createMutations(declaration: Declaration, options: MutationsOptions): Record<string, MutationResolver> {
  return Object.fromEntries([...generatedMutations(declaration.model).values()].map((mutation) => [mutation.field, mutation.many ? manyResolver(mutation, declaration, options) : oneResolver(mutation)]))
}

function oneResolver({ verb, type: { name, singular } }: GeneratedMutation): MutationResolver {
  if (verb !== 'upsert') return (_, { input }, { quire }, info) => quire.mutate(input, info, async (change) => ({ [singular]: await writeOne(change, verb, name, input) }))
  return async (_, { input }, { quire }, info) => {
    let created = false
    const payload = await quire.mutate(input, info, async (change) => {
      const entry = await change.upsert(name, input)
      created = entry.before === undefined
      return { [singular]: entry }
    })
    return { ...payload, created }
  }
}

function manyResolver(mutation: GeneratedMutation, declaration: Declaration, { atomic, maxInputs }: MutationsOptions): MutationResolver {
  return (_, { inputs }, { quire: { mutate } }, info) => {
    if (inputs.length > maxInputs) throw badInput(`${mutation.field} has too many inputs: ${inputs.length}, max ${maxInputs}. Send them in several mutations.`)
    return writeMany({ mutation, inputs, mutate, info }, declaration, atomic)
  }
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
