// A store whose documents are broken in every way that a schema does not expect: values that are missing or
// of another type, lists that are none, references to nothing. Which document is broken in which way follows
// from its id, so that every reader sees the same.

import { createHash } from 'node:crypto'
import type { Body, Json } from '../../../src/model/json/json.ts'
import type { Store, StoredDocument } from '../../../src/store/store.ts'

export function damaged(store: Store): Store {
  const broken = new Map<StoredDocument, StoredDocument>()
  // The same object for the same document, as stores do it.
  function damage<D extends StoredDocument | undefined>(document: D): D {
    if (!document) return document
    if (!broken.has(document)) broken.set(document, { ...document, body: wrong(document.body) })
    return broken.get(document) as D
  }
  const changed: Pick<Store, 'readMany' | 'lookIn' | 'query' | 'queryEach'> = {
    readMany: async (...given) => (await store.readMany(...given)).map(damage),
    lookIn(container) {
      const look = store.lookIn(container)
      return look && ((key) => damage(look(key)))
    },
    query: async (...given) => (await store.query(...given)).map(damage),
    queryEach: async (...given) => (await store.queryEach(...given)).map((page) => page.map(damage)),
  }
  return { ...store, ...changed }
}

/** One property in four documents out of five, and never what finds the document. */
export function wrong(body: Body): Body {
  const names = Object.keys(body).filter((name) => !['id', 'type'].includes(name) && !name.endsWith('Id'))
  const hash = createHash('sha256').update(String(body['id'])).digest()
  const name = names[hash[0]! % Math.max(1, names.length)]
  if (name === undefined || hash[1]! % 5 === 0) return body
  return { ...body, [name]: ways[hash[2]! % ways.length]!(body[name]) }
}

const ways: readonly ((value: Json | undefined) => Json)[] = [
  () => null,
  () => ({ not: 'expected' }),
  () => 'nothing of that name',
  () => 1.5,
  () => ['missing', null],
  (value) => (Array.isArray(value) ? [...(value as Json[]), null, 'missing'] : [value ?? null]),
  (value) => (Array.isArray(value) ? [...(value as Json[]), ...(value as Json[])] : { id: 'missing' }),
]
