// `createPosts`, `updatePosts`, `upsertPosts`, `deletePosts`: many documents of a type in one mutation, with a result for each input.
// What they read is read in one wave. A store with one atomic scope writes all of them or none; a store that is atomic per partition
// writes each on its own, several at a time, and the result says so.

import { GraphQLError, type GraphQLResolveInfo } from 'graphql'
import { isLogged } from '../../errors.ts'
import { clientError, visibleError } from '../../graphql-errors.ts'
import type { GeneratedMutation, MutationVerb } from '../../model/api/generated-mutations.ts'
import { keyText } from '../../model/keys/key.ts'
import { pointersOf } from '../../model/pointers.ts'
import type { Declaration } from '../../relations/declaration.ts'
import type { Entry } from '../../relations/maintenance.ts'
import type { StoredDocument } from '../../store/store.ts'
import type { Change } from '../change.ts'
import { namedIn } from '../input/input.ts'
import { refusedTogether } from '../unique/check-unique.ts'
import type { KnownDocuments } from './known-documents.ts'
import type { Mutate, MutationInput } from '../mutations.ts'

export interface BatchPayload {
  readonly written: number
  readonly atomic: boolean
  readonly results: readonly Record<string, unknown>[]
}

interface Batch {
  readonly mutation: GeneratedMutation
  readonly inputs: readonly (MutationInput & { readonly id: string })[]
  readonly mutate: Mutate
  readonly info: GraphQLResolveInfo
}

/** A written document, or why it was not written. */
type Outcome = { readonly document: StoredDocument } | { readonly error: unknown }

/** How many documents are written at the same time where each is written on its own. */
const concurrentWrites = 16

export async function writeMany(batch: Batch, declaration: Declaration, atomic: boolean): Promise<BatchPayload> {
  const { inputs, mutation: { type } } = batch
  const outcomes = inputs.length === 0 ? [] : await (atomic ? writeTogether(batch) : writeEach(batch, isIndependent(declaration, batch)))
  return {
    written: outcomes.filter((outcome) => 'document' in outcome).length,
    atomic,
    results: outcomes.map((outcome, at) => ({ clientMutationId: inputs[at]!.clientMutationId ?? null, ...resultOf(type.singular, outcome) })),
  }
}

/** One change to a document, as its verb says. */
export function writeOne(change: Change, verb: MutationVerb, typeName: string, input: MutationInput & { readonly id: string }): Promise<Entry> {
  return change[verb](typeName, input)
}

/** Every input that cannot be written is found, and then none is written. */
async function writeTogether({ mutation: { type, verb }, inputs, mutate, info }: Batch): Promise<Outcome[]> {
  const failures = new Map<number, Error>()
  let entries: Record<string, Entry> = {}
  try {
    const documents = await mutate({}, info, async (change) => {
      failures.clear()
      entries = {}
      await change.readAhead(type.name, inputs, verb === 'create')
      for (const [at, input] of inputs.entries()) {
        await writeOne(change, verb, type.name, input).then((entry) => (entries[at] = entry), (error: unknown) => {
          if (!(error instanceof GraphQLError)) throw error
          failures.set(at, error)
        })
      }
      if (failures.size > 0) throw aborted()
      return entries
    })
    return inputs.map((_, at) => ({ document: documents[at]! }))
  } catch (error) {
    // Whether values are unique is known once all documents are.
    for (const refused of refusedTogether(error)) {
      const at = Object.keys(entries).findLast((each) => keyText(entries[each]!.key) === keyText(refused.entry.key))
      if (at !== undefined) failures.set(Number(at), refused.error)
    }
    if (failures.size === 0) throw error
    return inputs.map((_, at) => ({ error: failures.get(at) ?? aborted() }))
  }
}

async function writeEach({ mutation: { type, verb }, inputs, mutate, info }: Batch, independent: boolean): Promise<Outcome[]> {
  // A unit of work that only reads.
  let ahead: KnownDocuments | undefined
  if (independent) await mutate({}, info, async (change) => {
    ahead = await change.readAhead(type.name, inputs, verb === 'create')
    return {}
  })
  const outcomes: Outcome[] = []
  const queue = inputs.entries()
  const work = async (): Promise<void> => {
    for (const [at, input] of queue) {
      // What was read ahead serves the first try: after a conflict the newest documents are read.
      let known = ahead
      outcomes[at] = await mutate({}, info, async (change) => {
        if (known) await change.readAhead(type.name, [], true, known)
        known = undefined
        return { document: await writeOne(change, verb, type.name, input) }
      }).catch((error: unknown) => ({ error }))
    }
  }
  await Promise.all(Array.from({ length: independent ? Math.min(concurrentWrites, inputs.length) : 1 }, work))
  return outcomes
}

/** Whether no input names the document of another one: then their order does not matter. */
function isIndependent(declaration: Declaration, { mutation: { type, verb }, inputs }: Batch): boolean {
  // The stored document of one input may reference that of another.
  if (verb === 'delete' && pointersOf(declaration.model, type).some(({ field }) => field.target === type.name)) return false
  const own = inputs.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  const named = namedIn(declaration, type, inputs).filter((each) => each.type === type).map(({ id }) => id)
  const written = new Set(own)
  return written.size === own.length && named.filter((id) => written.has(id)).length === own.length
}

function resultOf(singular: string, outcome: Outcome): Record<string, unknown> {
  if ('document' in outcome) return { [singular]: outcome.document }
  const { error } = outcome
  const visible = error instanceof GraphQLError ? error : visibleError(error)
  const code = String(visible?.extensions['code'] ?? 'INTERNAL_SERVER_ERROR')
  const failure = { code, message: visible?.message ?? 'Unexpected error.' }
  // What operators have to look into is an error of the answer as well: those are logged.
  return isLogged(code) ? { [singular]: error, failure } : { failure }
}

function aborted(): Error {
  return clientError('ABORTED', 'Nothing was written: another one of these documents cannot be written. Correct that one, and send all of them again.')
}
