// The cost report of an operation (`extensions.quire`): the round trips it made, those that naive execution would have made,
// and what saved the difference. The shape is a public contract; clients and benchmarks rely on it.

import type { Choice } from '../plan/snapshot-or-lookup.ts'
import { isFoundById, partitionFrom } from '../model/keys/partition.ts'
import { wavesOf, type Call } from '../read/call-log.ts'
import type { ReadLog, NaiveCost } from '../read/read-log.ts'
import { naiveQueryCost, naiveReadCost } from '../read/naive-cost.ts'
import { selectionOf } from '../read/selection.ts'
import type { DocumentType } from '../model/model.ts'
import { provenBoundMs } from '../plan/freshness.ts'
import type { Plan } from '../plan/plan.ts'
import { hundredths, type Cost } from '../store/cost-model.ts'
import type { Query } from '../store/query.ts'
import type { Store } from '../store/store.ts'

/**
 * What an operation cost and what it saved: `extensions.quire` of an answer.
 *
 * @example
 * ```ts
 * const spared = ({ saved }: CostReport): number => saved.byBatching + saved.bySnapshots
 * ```
 */
export interface CostReport {
  readonly made: Cost
  readonly naive: Cost
  readonly saved: { readonly byBatching: number; readonly bySnapshots: number }
  /** Whether all charges come from the cost model and not from the store. */
  readonly estimated: boolean
  /** Whether that of `naive` is an estimate beside a measured one: documents that were not read have no measured charge. */
  readonly naiveEstimated: boolean
  /** How old the snapshots that answered can be at most; null while that cannot be proved. */
  readonly staleness: { readonly boundMs: number | null }
  /** Whether everything was read at one moment of the store: false if something was written meanwhile, null if the store cannot tell and for a mutation. */
  readonly oneMoment: boolean | null
  readonly calls: readonly Omit<Call, 'requestWave'>[]
  readonly relations: readonly ReportedRelation[]
  /** The fields whose resolvers read one document after the other, where one call could have had all of them. */
  readonly oneByOne: readonly { readonly field: string; readonly reads: number }[]
}

/**
 * How a relation of an operation was answered, and why.
 *
 * @example
 * ```ts
 * const lookedUp = (report: CostReport): ReportedRelation[] => report.relations.filter(({ from }) => from === 'REFERENCE')
 * ```
 */
export interface ReportedRelation {
  readonly field: string
  readonly from: 'SNAPSHOT' | 'REFERENCE'
  readonly because: string
  readonly resolved: number
}

export async function createCostReport(readLog: ReadLog, plan: Plan, store: Store, boundMs: number, begunAt: number | undefined): Promise<CostReport> {
  // Before anything is waited for.
  const oneMoment = begunAt === undefined ? null : store.moment() === begunAt
  const unread = await unreadAlone(readLog.unread, store)
  const unasked = await unaskedAlone(readLog.unasked, store)
  const spared = readLog.spared + unread.roundTrips + unasked.roundTrips
  const waves = wavesOf(readLog.calls)
  const made: Cost = {
    roundTrips: readLog.calls.length,
    waves: waves.count,
    requestCharge: hundredths(readLog.calls.reduce((sum, call) => sum + call.requestCharge, 0)),
  }
  return {
    made,
    naive: {
      roundTrips: readLog.asked + spared,
      waves: readLog.naiveWaves,
      requestCharge: hundredths(readLog.askedCharge + readLog.sparedCharge + unread.charge + unasked.charge),
    },
    saved: { byBatching: readLog.asked - made.roundTrips, bySnapshots: spared },
    estimated: store.supports.charges === 'estimated',
    naiveEstimated: store.supports.charges === 'measured',
    staleness: { boundMs: readLog.usedCopies ? provenBoundMs(boundMs) : 0 },
    oneMoment,
    calls: readLog.calls.map((call, index) => ({
      operation: call.operation,
      container: call.container,
      for: call.for,
      keys: call.keys,
      documents: call.documents,
      wave: waves.of[index]!,
      startMs: hundredths(call.startMs - readLog.startMs),
      durationMs: hundredths(call.durationMs),
      requestCharge: call.requestCharge,
    })),
    relations: relationsOf(plan, readLog),
    oneByOne: [...readLog.oneByOne].map(([field, reads]) => ({ field, reads })),
  }
}

/** One entry per relation and choice; a relation selected twice with the same choice is one entry. */
function relationsOf(plan: Plan, { filters }: ReadLog): ReportedRelation[] {
  const entries = new Map<string, ReportedRelation>()
  const add = (field: string, from: Choice['from'], because: string, resolved: number) => {
    const name = `${field} ${from} ${because}`
    entries.set(name, { field, from, because, resolved: resolved + (entries.get(name)?.resolved ?? 0) })
  }
  for (const { field, from, because } of filters) add(field, from, because, 1)
  for (const { coordinate, choice, resolved, fellBack } of plan.all()) {
    if (!choice) continue
    if (resolved > fellBack || resolved === 0) add(coordinate, choice.from, choice.because, resolved - fellBack)
    if (fellBack > 0) add(coordinate, 'SNAPSHOT', 'the store did not answer, so a snapshot of any age did', fellBack)
  }
  return [...entries.values()]
}

/** What it would have cost to read, one by one, the documents that snapshots stood in for. */
async function unreadAlone(unread: ReadLog['unread'], store: Store): Promise<NaiveCost> {
  let roundTrips = 0
  let charge = 0
  for (const [type, documents] of unread) {
    const ids = [...documents.keys()]
    const sizes = await sizesOf(type, ids, store)
    const query = { ...selectionOf(type), orderBy: { path: ['id'], descending: false }, limit: 1 }
    for (const [index, times] of [...documents.values()].entries()) {
      const bytes = sizes[index]
      const alone = isFoundById(type) ? naiveReadCost(bytes) : naiveQueryCost(store, query, bytes === undefined ? [] : [{ bytes }])
      roundTrips += times * alone.roundTrips
      charge += times * alone.charge
    }
  }
  return { roundTrips, charge }
}

/** What queries would have cost that copies stood in for. */
async function unaskedAlone(unasked: readonly Query[], store: Store): Promise<NaiveCost> {
  const costs = await Promise.all(unasked.map(async (query) => naiveQueryCost(store, query, await store.query(query))))
  return { roundTrips: costs.reduce((sum, { roundTrips }) => sum + roundTrips, 0), charge: costs.reduce((sum, { charge }) => sum + charge, 0) }
}

async function sizesOf(type: DocumentType, ids: readonly string[], store: Store): Promise<readonly (number | undefined)[]> {
  if (isFoundById(type)) return store.sizes(type.container, ids.map((id) => ({ partition: partitionFrom(type, { id })!, id })))
  // A store that only knows typical sizes does not need the partition.
  if (store.supports.sizes === 'typical') return store.sizes(type.container, ids.map((id) => ({ partition: [], id })))
  const found = await store.query({ ...selectionOf(type), where: { op: 'in', path: ['id'], values: ids }, orderBy: { path: ['id'], descending: false }, limit: ids.length })
  const sizes = new Map(found.map(({ key, bytes }) => [key.id, bytes]))
  return ids.map((id) => sizes.get(id))
}
