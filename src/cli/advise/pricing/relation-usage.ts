// How a relation was used per hour: the numbers from which the relation kinds make their remarks.

import type { Declaration } from '../../../relations/declaration.ts'
import { storedPath, type Field } from '../../../model/model.ts'
import type { Relation, Usage } from '../../../relations/kind.ts'
import { allRecordedNodes, hoursOf, type RecordedNode, type Workload } from '../../../observe/workload/workload.ts'
import type { DocumentStatistics } from '../sample/document-statistics.ts'

export function usageOf(field: Field, workload: Workload, { model, prepared }: Declaration, statistics: DocumentStatistics): Usage {
  const hours = hoursOf(workload)
  const found = prepared(field)
  const places = workload.operations.flatMap(({ times, places: all }) => allRecordedNodes(all).filter((place) => place.field === field.coordinate).map((place) => ({ times, place })))
  const sum = (numberOf: (place: RecordedNode) => number) => places.reduce((total, { place }) => total + numberOf(place), 0) / hours
  const holder = model.documents.get(field.owner)
  return {
    operations: places.reduce((total, { times }) => total + times, 0) / hours,
    resolved: sum(({ resolved = 0 }) => resolved),
    counted: sum((place) => (selects(place, 'totalCount') ? place.resolved ?? 0 : 0)),
    paged: sum((place) => (selects(place, 'nodes', 'edges', 'pageInfo') ? place.resolved ?? 0 : 0)),
    documents: sum(({ documents = 0 }) => documents),
    rewritten: (workload.relations[field.coordinate]?.rewritten ?? 0) / hours,
    sourceChanges: 'value' in found ? 0 : sourceChanges(found, workload) / hours,
    holderBytes: statistics.bytes(holder),
    siblings: [...(holder?.fields.values() ?? [])],
  }
}

function selects({ below = [] }: RecordedNode, ...names: string[]): boolean {
  return below.some((each) => names.includes(each.field.split('.')[1]!))
}

/** How many writes may have changed the number of a holder's entries. */
function sourceChanges({ countedBy }: Relation, { types }: Workload): number {
  if (!countedBy) return 0
  const { source, path } = countedBy
  const pointers = new Set([...source.fields.values()].filter((field) => storedPath(field)?.[0] === path[0]).map(({ name }) => name))
  const { created = 0, deleted = 0, updated = {} } = types[source.name] ?? {}
  const moved = Object.entries(updated).filter(([changed]) => changed.split(',').some((name) => pointers.has(name)))
  return created + deleted + moved.reduce((sum, [, count]) => sum + count, 0)
}
