// Restricts what the store is asked for to the documents that the viewer may see. Types without an owner stay as
// they are.

import type { Access, Own } from '../auth/access.ts'
import { keyById, partitionFrom } from '../model/keys/partition.ts'
import type { DocumentType } from '../model/model.ts'
import type { Condition, Selection } from '../store/query.ts'

export class OwnerFilter {
  readonly #access: Access

  constructor(access: Access) {
    this.#access = access
  }

  /** Whether the viewer sees only their own documents of a type. Throws if the viewer may read none at all. */
  appliesTo(type: DocumentType): boolean {
    const reading = this.#access.reading(type)
    if (reading === 'refused') throw this.#access.refusal(type.name)
    return reading === 'own'
  }

  /** The selection without documents that the viewer may not see. `ids` are the only ones that it can find, where they are known. */
  restrict<S extends Selection>(selection: S, ids?: readonly string[]): S {
    const type = this.#access.typeIn(selection.container, selection.type)
    if (!type || !this.appliesTo(type)) return selection
    const own = this.#access.own(type)!
    return { ...selection, ...placeOf(type, selection, own, ids), where: selection.where ? and({ op: 'eq', ...own }, selection.where) : { op: 'eq', ...own } }
  }
}

function and(...conditions: Condition[]): Condition {
  return { op: 'and', conditions }
}

/** The partitions that can hold the documents, where the owner or the ids give them: no others are asked. */
function placeOf(type: DocumentType, { partition, among }: Selection, { path, value }: Own, ids: readonly string[] | undefined): Pick<Selection, 'partition' | 'among'> {
  if (partition || among) return {}
  const owned = path.length === 1 ? partitionFrom(type, { [path[0]!]: value }) : undefined
  if (owned) return { partition: owned }
  const keyOf = keyById(type)
  if (!ids || !keyOf) return {}
  return ids.length === 1 ? { partition: keyOf(ids[0]!).partition } : { among: ids.map((id) => keyOf(id).partition) }
}
