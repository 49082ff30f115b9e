// A document as an export has it: everything that is stored, without the versions that Quire keeps, and with its properties in one
// order. So the same data gives the same text, whichever store it is in and however often it was written.

import { isBody, type Body, type Json } from '../../model/json/json.ts'
import type { DocumentType } from '../../model/model.ts'
import { storageTraits } from '../../model/storages.ts'

/** What Quire notes in a document for itself: versions, and references whose removal the change feed has yet to handle. */
const ownProperties = ['_v', '_c', '_left', '_intent', '_saga']

export function exportedBody(type: DocumentType, body: Body): Body {
  const exported: Record<string, Json | undefined> = { ...body }
  for (const name of ownProperties) delete exported[name]
  for (const field of type.fields.values()) {
    const { storage } = field
    if (storageTraits[storage.kind].holds !== 'snapshots' || !('at' in storage)) continue
    const { at } = storage
    const held = exported[at]
    if (held !== undefined) exported[at] = Array.isArray(held) ? held.map((each) => withoutVersion(each as Json)) : withoutVersion(held)
  }
  return exported
}

/** One line of a file: the id first, the other properties in the order of their names, at any depth. */
export function exportedLine(type: DocumentType, body: Body): string {
  const { id, ...others } = exportedBody(type, body)
  return `${JSON.stringify({ id, ...(sorted(others) as Body) })}\n`
}

function withoutVersion(snapshot: Json): Json {
  if (!isBody(snapshot)) return snapshot
  const { _v: _, ...copied } = snapshot
  return copied
}

function sorted(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((each) => sorted(each as Json) as Json)
  if (!isBody(value)) return value
  return Object.fromEntries(Object.keys(value).toSorted(byCodeUnits).map((name) => [name, sorted(value[name])]))
}

/** The same on every machine, which an order of a language is not. */
function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
