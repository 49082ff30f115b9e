// Opens a store whose documents may be in other containers than the schema declares. The store itself records where they are, so it is opened
// once to read that, and again if they are elsewhere.

import type { Declaration } from '../relations/declaration.ts'
import { readLocations } from '../store/migration/container-locations.ts'
import type { ContainerLayout, Store } from '../store/store.ts'

export interface Placed {
  readonly declaration: Declaration
  readonly store: Store
}

/** `layoutOf` is what the store is to have for a declaration; default all that it needs. */
export async function openAtLocations(declared: Declaration, open: (layout: readonly ContainerLayout[]) => Promise<Store>, layoutOf = ({ layout }: Declaration): readonly ContainerLayout[] => layout): Promise<Placed> {
  const store = await open(layoutOf(declared))
  const declaration = declared.at(await readLocations(store))
  if (declaration === declared) return { declaration, store }
  await store.close()
  return { declaration, store: await open(layoutOf(declaration)) }
}
