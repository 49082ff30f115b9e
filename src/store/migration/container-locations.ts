// Where the documents of each declared container really are. A migration that goes on beside gateways cannot store a document in two forms
// in one place, so it copies into a container beside the declared one, and then records here that this is the container from now on.

import { ownContainer, ownKey, ownPut } from '../own-container.ts'
import type { Store, StoredDocument, Write } from '../store.ts'

export interface Places {
  /** Grows with every migration beside gateways: a gateway that was opened under another one reads documents that nobody writes any more. */
  readonly generation: number
  /** By the name in the schema; a container that is not here has that name itself. */
  readonly containers: Readonly<Record<string, string>>
}

export const asDeclared: Places = { generation: 0, containers: {} }

export const placesKey = ownKey('places')

export async function readPlaces(store: Store): Promise<Places> {
  const [found] = await store.readMany(ownContainer, [placesKey])
  return placesIn(found)
}

export function placesIn(found: StoredDocument | undefined): Places {
  return found ? { generation: found.body['generation'] as number, containers: found.body['containers'] as Places['containers'] } : asDeclared
}

export function placesPut({ generation, containers }: Places): Write {
  return ownPut(placesKey, { generation, containers })
}

/** The name in the schema of the container that documents are in. */
export function declaredName({ containers }: Places, container: string): string {
  return Object.keys(containers).find((name) => containers[name] === container) ?? container
}
