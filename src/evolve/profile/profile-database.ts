// The profile of a database: what its documents look like, container by container, and which of their values are ids of others. It reads a
// sample or everything, writes nothing, and needs bounded memory. `quire check --profile` prints it; `quire init --from` writes a
// schema from it.

import type { ExistingDatabase } from '../../store/existing/existing-database.ts'
import { findCounts, findInverses, type FoundCount, type FoundInverse } from './find-inverses.ts'
import { findPointers, type FoundPointer } from './find-pointers.ts'
import { profileContainer, type ContainerProfile, type ProfileOptions } from './profile-container.ts'
import type { TypeProfile } from './type-profile.ts'

export interface Profile {
  readonly containers: readonly ContainerProfile[]
  readonly pointers: readonly FoundPointer[]
  readonly inverses: readonly FoundInverse[]
  readonly counts: readonly FoundCount[]
}

export async function profileDatabase(database: ExistingDatabase, options: ProfileOptions = {}): Promise<Profile> {
  const containers: ContainerProfile[] = []
  for (const container of database.containers) containers.push(await profileContainer(database, container, options))
  const pointers = await findPointers(database, typesIn(containers))
  return { containers, pointers, inverses: await findInverses(database, pointers), counts: await findCounts(database, pointers) }
}

export function typesIn(containers: readonly ContainerProfile[]): TypeProfile[] {
  return containers.flatMap(({ types }) => types)
}
