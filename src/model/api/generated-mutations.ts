// The mutations that Quire generates, as a table: for each verb one that writes a document, such as `createPost`, and one that writes
// many, `createPosts`. Names, rules and resolvers are read from here; their inputs and payloads are in mutations.ts.

import type { DocumentType, Model } from '../model.ts'

export const mutationVerbs = ['create', 'update', 'upsert', 'delete'] as const

export type MutationVerb = (typeof mutationVerbs)[number]

export interface GeneratedMutation {
  readonly field: string
  readonly verb: MutationVerb
  readonly type: DocumentType
  /** Whether it takes a list of inputs. */
  readonly many: boolean
}

/** By the name of their field; prepared once, because rules ask for every mutation. */
export function generatedMutations(model: Model): ReadonlyMap<string, GeneratedMutation> {
  let known = ofModels.get(model)
  if (!known) ofModels.set(model, (known = new Map([...model.documents.values()].flatMap(mutationsOf).map((each) => [each.field, each]))))
  return known
}

/** The generated mutation at `Mutation.field`. */
export function generatedMutationAt(model: Model, coordinate: string): GeneratedMutation | undefined {
  return coordinate.startsWith('Mutation.') ? generatedMutations(model).get(coordinate.slice('Mutation.'.length)) : undefined
}

export function mutationsOf(type: DocumentType): GeneratedMutation[] {
  return mutationVerbs.flatMap((verb) => [
    { field: `${verb}${type.name}`, verb, type, many: false },
    { field: `${verb}${capital(type.plural)}`, verb, type, many: true },
  ])
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const ofModels = new WeakMap<Model, ReadonlyMap<string, GeneratedMutation>>()
