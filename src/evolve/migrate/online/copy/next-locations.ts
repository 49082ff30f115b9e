// Chooses the containers of the new schema's documents: the declared ones, unless they hold documents of the old schema. Then it is a new
// container such as `posts-2` for `posts`, and after the next online migration `posts` again.

import type { Declaration } from '../../../../relations/declaration.ts'
import { declaredName, type ContainerLocations } from '../../../../store/migration/container-locations.ts'
import type { DeclaredStorage } from '../../../declared/declared-storage.ts'
import type { MatchedModels } from '../../transform/matched-models.ts'
import { workOf } from '../../transform/type-work.ts'

/** `pairs` match the stored documents with the new schema, both in the current containers. */
export function nextLocations({ locations, model }: Declaration, before: DeclaredStorage, pairs: MatchedModels): ContainerLocations {
  const used = new Set(Object.values(before.documents).map(({ container }) => container))
  const taken = new Set([...used, ...[...model.documents.values()].map(({ container }) => container)])
  const receiving = new Set(workOf(pairs).types.flatMap(({ now, makes }) => [...(now ? [now.container] : []), ...makes.map(({ type }) => type.container)]))
  const containers: Record<string, string> = { ...locations.containers }
  for (const container of receiving) {
    if (!used.has(container)) continue
    const name = declaredName(locations, container)
    const fresh = candidatesFor(name).find((each) => !taken.has(each))!
    taken.add(fresh)
    if (fresh === name) delete containers[name]
    else containers[name] = fresh
  }
  return { generation: locations.generation + 1, containers }
}

function* candidatesFor(name: string): Generator<string> {
  yield name
  for (let number = 2; ; number++) yield `${name}-${number}`
}
