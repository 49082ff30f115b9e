// Documents that the attack may change: every write is aimed at one of these. They are created again when they are gone, and
// deleted at the end with everything that came of them.

import { isInputObjectType } from 'graphql'
import { Random } from './random.ts'
import { deletion } from './grammar/mutations.ts'
import type { Ask } from './hostile-request.ts'
import type { OwnedType } from './others-documents.ts'
import { plausible } from './values.ts'
import { listsOf, seenDocuments, type World } from './world.ts'

const copies = 3

/** Where the document is the viewer, there is only one. */
export function ownIds({ schema }: Pick<World, 'schema'>, owned: readonly OwnedType[], owner: string): Map<string, string[]> {
  const isOwner = (name: string): boolean => owned.some((each) => each.type === name && each.isOwner)
  return new Map(listsOf(schema).map(({ type }) => [type, isOwner(type) ? [owner] : Array.from({ length: copies }, (_, at) => `own-${type.toLowerCase()}-${at}`)]))
}

/** Ids to aim at: the attacker's own documents, and those of other viewers, which must not change. */
export function targets(own: ReadonlyMap<string, readonly string[]>, all: World['ids'], owned: readonly string[]): Map<string, string[]> {
  return new Map([...own].map(([type, ids]) => [type, [...ids, ...(owned.includes(type) ? all.get(type)!.slice(0, ids.length) : [])]]))
}

/** Creates those that are missing. References need their targets first, so it retries. */
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

/** Deletes everything that is new since `before`. Referenced documents go once nothing references them. */
export async function deleteNew(world: World, before: ReadonlyMap<string, string>, ask: Ask): Promise<void> {
  for (let round = 0; round < 6; round++) {
    const added = [...(await seenDocuments(world.schema, ask))].filter(([name]) => !before.has(name))
    if (added.length === 0) return
    for (const [name, text] of added) {
      const type = name.slice(0, name.indexOf(' '))
      await ask(`mutation($input: Delete${type}Input!) { delete${type}(input: $input) { clientMutationId } }`, { input: deletion(world.schema, type, JSON.parse(text) as Record<string, unknown>) })
    }
  }
}
