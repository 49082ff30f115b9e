// Documents that may be hurt: where something can be written, whatever is aimed at a document is aimed at one of these.
// They are made anew when they are gone, and at the end they and all that came of them are taken away.

import { isInputObjectType } from 'graphql'
import { Random } from './random.ts'
import { deletion } from './grammar/mutations.ts'
import type { Ask } from './hostile-request.ts'
import type { OwnedType } from './others-documents.ts'
import { plausible } from './values.ts'
import { listsOf, seenDocuments, type World } from './world.ts'

const copies = 3

/** Of types whose documents are people, there is only one that someone is. */
export function ownIds({ schema }: Pick<World, 'schema'>, owned: readonly OwnedType[], owner: string): Map<string, string[]> {
  const isOwner = (name: string): boolean => owned.some((each) => each.type === name && each.isOwner)
  return new Map(listsOf(schema).map(({ type }) => [type, isOwner(type) ? [owner] : Array.from({ length: copies }, (_, at) => `own-${type.toLowerCase()}-${at}`)]))
}

/** What can be aimed at without hurting anyone, and what is others' besides: nobody should be able to hurt that. */
export function targets(own: ReadonlyMap<string, readonly string[]>, all: World['ids'], owned: readonly string[]): Map<string, string[]> {
  return new Map([...own].map(([type, ids]) => [type, [...ids, ...(owned.includes(type) ? all.get(type)!.slice(0, ids.length) : [])]]))
}

/** Those that are not there. What points at others comes when they are there, so it is tried again. */
export async function renew(world: World, own: World['ids'], askFor: (type: string) => Ask): Promise<void> {
  for (let round = 0, missing = Infinity; missing > 0 && round < 4; round++) {
    missing = 0
    for (const [type, ids] of own) {
      const input = world.schema.getType(`Create${type}Input`)
      if (!isInputObjectType(input)) continue
      for (const id of ids) {
        const given = { ...(plausible(input, '', new Random(id), { ...world, ids: own }, input.name) as object), id }
        const { errors } = await askFor(type)(`mutation($input: Create${type}Input!) { create${type}(input: $input) { clientMutationId } }`, { input: given })
        if (errors?.some(({ extensions }) => extensions?.code !== 'CONFLICT' && extensions?.code !== 'BAD_USER_INPUT')) missing++
      }
    }
  }
}

/** Deletes everything that was not there before. What is pointed at goes when nothing points at it any more. */
export async function takeAway(world: World, before: ReadonlyMap<string, string>, ask: Ask): Promise<void> {
  for (let round = 0; round < 6; round++) {
    const added = [...(await seenDocuments(world.schema, ask))].filter(([name]) => !before.has(name))
    if (added.length === 0) return
    for (const [name, text] of added) {
      const type = name.slice(0, name.indexOf(' '))
      await ask(`mutation($input: Delete${type}Input!) { delete${type}(input: $input) { clientMutationId } }`, { input: deletion(world.schema, type, JSON.parse(text) as Record<string, unknown>) })
    }
  }
}
