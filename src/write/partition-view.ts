// A changeset's view of the partitions that it writes: on a store that is atomic per partition, these are the documents
// that can change in the same atomic write as their source.

import { partitionText, type Partition } from '../model/keys/key.ts'
import type { DocumentType } from '../model/model.ts'
import type { Entry, View } from '../relations/maintenance.ts'
import type { Condition } from '../store/query.ts'
import type { Changeset } from './changeset.ts'

export function viewWithinPartitions(changes: Changeset): View {
  const written = new Map(changes.entries.map(({ container, key }) => [`${container} ${partitionText(key.partition)}`, { container, partition: key.partition }]))
  const partitionsOf = (type: DocumentType): Partition[] => [...written.values()].filter(({ container }) => container === type.container).map(({ partition }) => partition)
  const find = async (type: DocumentType, where: Condition): Promise<Entry[]> =>
    (await Promise.all(partitionsOf(type).map((partition) => changes.find(type, where, Infinity, partition)))).flat()
  return {
    find,
    read: async (wanted) => {
      const reachable = wanted.filter(({ type }) => partitionsOf(type).length > 0)
      const found = await Promise.all([...Map.groupBy(reachable, ({ type }) => type)].map(([type, all]) =>
        find(type, { op: 'in', path: ['id'], values: [...new Set(all.map(({ id }) => id))] })))
      const byName = new Map(found.flat().map((entry) => [`${entry.type!.name} ${entry.key.id}`, entry]))
      return wanted.map(({ type, id }) => byName.get(`${type.name} ${id}`))
    },
    // A count and an amount are values, not documents to write, so they cover every partition.
    count: (type, where) => changes.count(type, where),
    measure: (type, where, measure) => changes.measure(type, where, measure),
  }
}
