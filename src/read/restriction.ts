// What a viewer may not see, put into what the store is asked for. Types without an owner are asked for as ever.

import type { Access, Own } from '../auth/access.ts'
import { keyById, partitionFrom } from '../model/keys/partition.ts'
import type { DocumentType } from '../model/model.ts'
import type { Condition, Selection } from '../store/query.ts'

export class Restriction {
  readonly #access: Access
  /** Whether anything was asked for that is there for its owner alone. */
  used = false

  constructor(access: Access) {
    this.#access = access
  }

  /** Whether only some of a type's documents are there; what is refused altogether is said so. */
  on(type: DocumentType): boolean {
    const reading = this.#access.reading(type)
    if (reading === 'refused') throw this.#access.refusal(type.name)
    if (reading === 'own') this.used = true
    return reading === 'own'
  }

  /** The same selection of what there is for this viewer; of these ids, where they are known. */
  of<S extends Selection>(selection: S, ids?: readonly string[]): S {
    const type = this.#access.typeIn(selection.container, selection.type)
    if (!type || !this.on(type)) return selection
    const own = this.#access.own(type)!
    return { ...selection, ...placeOf(type, selection, own, ids), where: selection.where ? and({ op: 'eq', ...own }, selection.where) : { op: 'eq', ...own } }
  }
}

function and(...conditions: Condition[]): Condition {
  return { op: 'and', conditions }
}

/** Where they can be, if the owner or the ids say so: other places need not be asked. */
function placeOf(type: DocumentType, { partition, among }: Selection, { path, value }: Own, ids: readonly string[] | undefined): Pick<Selection, 'partition' | 'among'> {
  if (partition || among) return {}
  const owned = path.length === 1 ? partitionFrom(type, { [path[0]!]: value }) : undefined
  if (owned) return { partition: owned }
  const keyOf = keyById(type)
  if (!ids || !keyOf) return {}
  return ids.length === 1 ? { partition: keyOf(ids[0]!).partition } : { among: ids.map((id) => keyOf(id).partition) }
}
