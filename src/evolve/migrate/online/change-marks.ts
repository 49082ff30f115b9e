// Marks of changed documents, for a migration that copies documents into other containers. Each write leaves a mark in Quire's own container
// with the documents that it changed and those that they reference or referenced before, because the new schema may store their link on the
// other side. The migration copies all of them again and deletes the mark. So gateways need not know the new schema.

import { randomInt, randomUUID } from 'node:crypto'
import type { Json } from '../../../model/json/json.ts'
import type { DocumentType, Model } from '../../../model/model.ts'
import { pointersOf, type Pointer } from '../../../model/pointers.ts'
import { bucketOwner } from '../../../relations/logical/listed-values.ts'
import type { Entry } from '../../../relations/maintenance.ts'
import { idsAlong } from '../../../relations/pointers/walk-pointers.ts'
import { ownContainer, ownPut } from '../../../store/own-container.ts'
import type { Key } from '../../../model/keys/key.ts'
import type { StoredDocument, Write } from '../../../store/store.ts'
import { bucketedFields } from '../../check/bucketed-lists.ts'

/** A document by its place in the old model: other gateways may have another name for its type. */
export interface Written {
  readonly container: string
  readonly type: string | null
  readonly id: string
}

export const markType = 'written'

/** Enough partitions that none of them is hot. */
const partitions = 64

/** Max documents per mark. */
const perMark = 500

export function createChangeMarks(model: Model): (entries: readonly Entry[], tenant: string | undefined) => Write[] {
  const pointers = new Map<DocumentType, readonly Pointer[]>([...model.documents.values()].map((type) => [type, pointersOf(model, type)]))
  const buckets = bucketedFields(model)
  return (entries, tenant) => {
    const written = new Map<string, Written>()
    const add = ({ container, discriminator = null }: { readonly container: string; readonly discriminator?: string | null | undefined }, id: string): void => {
      written.set(`${container} ${discriminator} ${id}`, { container, type: discriminator, id })
    }
    for (const { container, type, key, before, after } of entries) {
      if (container === ownContainer) continue
      const bodies = [before, after].filter((body) => body !== undefined)
      if (type) add(type, key.id)
      for (const { field, trail } of (type && pointers.get(type)) ?? []) for (const body of bodies) for (const id of idsAlong(body, trail)) add(model.documents.get(field.target)!, id)
      if (type) continue
      // A bucket belongs to the document that it names.
      for (const { owner, field } of buckets.filter(({ part }) => part.container === container)) {
        for (const id of bodies.map((body) => bucketOwner(field, body))) if (id !== undefined) add(owner, id)
      }
    }
    const all = [...written.values()]
    return Array.from({ length: Math.ceil(all.length / perMark) }, (_, index) => ownPut(markKey(), { type: markType, tenant: tenant ?? null, documents: all.slice(index * perMark, (index + 1) * perMark) as unknown as Json }))
  }
}

export function markIn({ body }: StoredDocument): { readonly tenant: string | undefined; readonly documents: readonly Written[] } {
  return { tenant: (body['tenant'] as string | null) ?? undefined, documents: body['documents'] as unknown as readonly Written[] }
}

function markKey(): Key {
  return { partition: [`written-${randomInt(partitions)}`], id: `written-${randomUUID()}` }
}
