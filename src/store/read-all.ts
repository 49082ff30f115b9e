// Reads any number of keys, in one wave of as few requests as the store allows.

import type { Key } from '../model/keys/key.ts'
import type { Meter, Store, StoredDocument } from './store.ts'

/** In the order of the keys; undefined where there is no document. */
export async function readAll(store: Store, container: string, keys: readonly Key[], meter?: Meter): Promise<readonly (StoredDocument | undefined)[]> {
  const { keysPerRequest } = store.supports
  if (keys.length === 0) return []
  if (keys.length <= keysPerRequest) return store.readMany(container, keys, meter)
  const chunks = Array.from({ length: Math.ceil(keys.length / keysPerRequest) }, (_, chunk) => keys.slice(chunk * keysPerRequest, (chunk + 1) * keysPerRequest))
  return (await Promise.all(chunks.map(async (chunk) => store.readMany(container, chunk, meter)))).flat()
}
