// Which container really holds the documents of each declared container. An online migration copies documents into a second container,
// because one container cannot hold a document in two forms, and then records here that the second one is used from now on.

import { ownContainer, ownKey, ownPut } from '../own-container.ts'
import type { Store, StoredDocument, Write } from '../store.ts'

export interface ContainerLocations {
  /** Grows with every online migration. A gateway that was opened with another generation reads documents that are not written any more. */
  readonly generation: number
  /** By the name in the schema. Containers that are not listed have the name in the schema. */
  readonly containers: Readonly<Record<string, string>>
}

export const asDeclared: ContainerLocations = { generation: 0, containers: {} }

export const locationsKey = ownKey('places')

export async function readLocations(store: Store): Promise<ContainerLocations> {
  const [found] = await store.readMany(ownContainer, [locationsKey])
  return locationsIn(found)
}

export function locationsIn(found: StoredDocument | undefined): ContainerLocations {
  return found ? { generation: found.body['generation'] as number, containers: found.body['containers'] as ContainerLocations['containers'] } : asDeclared
}

export function locationsPut({ generation, containers }: ContainerLocations): Write {
  return ownPut(locationsKey, { generation, containers })
}

/** The name in the schema of the container that documents are in. */
export function declaredName({ containers }: ContainerLocations, container: string): string {
  return Object.keys(containers).find((name) => containers[name] === container) ?? container
}
