// The mutations of every document type, and what domain mutations are made with: one piece of work,
// written as one, answered with the documents as they are then.

import type { GraphQLResolveInfo } from 'graphql'
import type { Declaration } from '../relations/declaration.ts'
import { clientError } from '../errors.ts'
import type { Reads } from '../read/reads.ts'
import type { StoredDocument } from '../store/store.ts'
import type { Entry } from '../relations/maintenance.ts'
import type { Input } from './input.ts'
import { Permission } from './permission.ts'
import type { Work, Writer } from './writer.ts'

export interface MutationInput extends Input {
  readonly clientMutationId?: string | null
}

/** Runs a piece of work and answers with a payload: the documents it names, and the client's own id. */
export type Mutate = <T extends Record<string, Entry>>(
  input: MutationInput, info: GraphQLResolveInfo, work: Work<T>,
) => Promise<{ clientMutationId: string | null } & { [K in keyof T]: StoredDocument }>

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

/** For one request: after a mutation, its reads see what was written. */
export function createMutate(writer: Writer, reads: Reads, onWritten: () => Promise<unknown>): Mutate {
  return async ({ clientMutationId = null }, info, work) => {
    const field = `${info.parentType.name}.${info.fieldName}`
    const documents = await writer.write(work, reads.meterFor({ field, place: info.path, stage: 0 }), reads.access && new Permission(reads.access, field))
    reads.forget()
    // It is written: nothing that fails from here on may say otherwise.
    await onWritten().catch(() => undefined)
    return { ...documents, clientMutationId }
  }
}

/** What is no mutation writes nothing. */
export const refuseToMutate: Mutate = () => Promise.reject(clientError('FORBIDDEN', 'Only mutations write.'))
