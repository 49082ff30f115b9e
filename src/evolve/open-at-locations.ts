// Opens a store for a schema whose documents may be elsewhere: in which containers they are is known only when it is open.

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
