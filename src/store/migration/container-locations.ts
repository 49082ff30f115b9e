// Where the documents of each declared container really are. A migration that goes on beside gateways cannot store a document in two forms
// in one place, so it copies into a container beside the declared one, and then records here that this is the container from now on.

import { ownContainer, ownKey, ownPut } from '../own-container.ts'
import type { Store, StoredDocument, Write } from '../store.ts'

export interface ContainerLocations {
  /** Grows with every migration beside gateways: a gateway that was opened under another one reads documents that nobody writes any more. */
  readonly generation: number
  /** By the name in the schema; a container that is not here has that name itself. */
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
