// The documents of one container of the memory store, and the sorted and grouped lists that queries read.

import { KeyMap, partitionText, type Key } from '../../model/keys/key.ts'
import { comparePositions, positionOf, scalarsAt } from '../conditions.ts'
import type { Path, Selection } from '../query.ts'
import type { StoredDocument } from '../store.ts'

type TypeAndTenant = Pick<Selection, 'type' | 'tenant'>

/** Lists are made when a query needs them, and dropped by the next write. */
export class MemoryContainer {
  readonly followed: boolean
  readonly tenanted: boolean
  readonly documents = new KeyMap<StoredDocument>()
  writes = 0
  readonly #sorted = new Map<string, StoredDocument[]>()
  readonly #groups = new Map<string, Map<string, StoredDocument[]>>()

  constructor(followed: boolean, tenanted: boolean) {
    this.followed = followed
    this.tenanted = tenanted
  }

  set(key: Key, document: StoredDocument | undefined): void {
    this.writes++
    if (document === undefined) this.documents.delete(key)
    else this.documents.set(key, document)
    this.#sorted.clear()
    this.#groups.clear()
  }

  /** All documents of a type and a tenant, ascending. */
  sorted({ type, tenant }: TypeAndTenant, orderBy: Path): readonly StoredDocument[] {
    return getOrCreate(this.#sorted, JSON.stringify([type, tenant, orderBy]), () =>
      [...this.documents.values()]
        .filter(({ key, body }) => (type === undefined || body.type === type) && (tenant === undefined || key.partition[0] === tenant))
        .toSorted((a, b) => comparePositions(positionOf(a, orderBy), positionOf(b, orderBy))),
    )
  }

  /** The same, grouped by partition or by the values at a path, each as JSON. */
  groups(only: TypeAndTenant, by: Path | 'partition', orderBy: Path): ReadonlyMap<string, readonly StoredDocument[]> {
    return getOrCreate(this.#groups, JSON.stringify([only.type, only.tenant, by, orderBy]), () => {
      const groups = new Map<string, StoredDocument[]>()
      for (const document of this.sorted(only, orderBy)) {
        for (const name of groupNames(document, by)) getOrCreate(groups, name, () => []).push(document)
      }
      return groups
    })
  }
}

function groupNames({ key, body }: StoredDocument, by: Path | 'partition'): Iterable<string> {
  if (by === 'partition') return [partitionText(key.partition)]
  return new Set(scalarsAt(by, body).map((scalar) => JSON.stringify(scalar)))
}

export function getOrCreate<Value>(values: Map<string, Value>, name: string, create: () => Value): Value {
  let value = values.get(name)
  if (value === undefined) values.set(name, (value = create()))
  return value
}
