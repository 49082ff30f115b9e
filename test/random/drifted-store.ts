// A store in which every snapshot, stored count and inverse list is wrong. Requests that allow no old snapshots must
// not notice.

import type { Declaration } from '../../src/relations/declaration.ts'
import { isOfType } from '../../src/read/selection.ts'
import { isStored, type DocumentType, type Field } from '../../src/model/model.ts'
import type { Body, Json } from '../../src/model/json/json.ts'
import type { Store, StoredDocument } from '../../src/store/store.ts'

export function drifted(store: Store, { model }: Declaration): Store {
  const types = [...model.documents.values()]
  function drift<D extends StoredDocument | undefined>(container: string, document: D): D {
    const type = document && types.find((one) => one.container === container && isOfType(one, document.body))
    return type ? { ...document, body: wrong(type, document.body) } : document
  }
  const changed: Pick<Store, 'readMany' | 'lookIn' | 'query' | 'queryEach'> = {
    readMany: async (container, ...rest) => (await store.readMany(container, ...rest)).map((document) => drift(container, document)),
    lookIn(container) {
      const look = store.lookIn(container)
      return look && ((key) => drift(container, look(key)))
    },
    query: async (query, meter) => (await store.query(query, meter)).map((document) => drift(query.container, document)),
    queryEach: async (query, ...rest) => (await store.queryEach(query, ...rest)).map((page) => page.map((document) => drift(query.container, document))),
  }
  return { ...store, ...changed }
}

function wrong(type: DocumentType, body: Body): Body {
  const changes = [...type.fields.values()].flatMap((field): [string, Json][] => {
    if (isStored(field, 'snapshot')) return [[field.storage.at, each(body[field.storage.at], (copy) => wrongCopy(copy, field.storage.fields))]]
    if (isInverse(field)) return [[field.storage.at, []]]
    // A list ordered by a count uses the stored one, so an indexed count stays right.
    const isWrong = isStored(field, 'counted') && !field.indexed && isCopy(type.fields.get(field.storage.relation))
    return isWrong ? [[field.storage.at, 999]] : []
  })
  return { ...body, ...Object.fromEntries(changes) }
}

/** Only counts of other documents can be wrong; a list in the same document is as true as its count. */
function isCopy(counted: Field | undefined): boolean {
  return isStored(counted, 'reverse', 'joined') || isInverse(counted)
}

function isInverse(field: Field | undefined): field is Field & { storage: { at: string } } {
  return isStored(field, 'reference') && field.storage.inverseOf !== undefined
}

/** The id stays: it is the reference itself. */
function wrongCopy(copy: Json, fields: readonly string[]): Json {
  return { ...(copy as Body), ...Object.fromEntries(fields.map((field) => [field, wrongValue((copy as Body)[field])])) }
}

function wrongValue(value: Json | undefined): Json {
  if (Array.isArray(value)) return []
  return typeof value === 'string' ? `once ${value}` : typeof value === 'number' ? value + 1 : (value ?? null)
}

function each(held: Json | undefined, change: (one: Json) => Json): Json {
  if (held === undefined || held === null) return null
  return Array.isArray(held) ? held.map(change) : change(held)
}
