// The account of an operation: the round trips it made, those the naive way would have made, and
// what saved the difference. The shape is fixed; clients and benchmarks rely on it.

import type { Choice } from './choice.ts'
import { isFoundById, partitionFrom } from './keys/partition.ts'
import type { Call, Ledger, Unread } from './loaders/ledger.ts'
import { selectionOf } from './loaders/selection.ts'
import type { Plan } from './plan.ts'
import { hundredths, queryCharge, readCharge } from './store/charge.ts'
import type { Store } from './store/store.ts'

export interface Account {
  readonly made: Cost
  readonly naive: Cost
  readonly saved: { readonly byBatching: number; readonly bySnapshots: number }
  /** Whether the charges come from the cost model and not from the store. */
  readonly estimated: boolean
  readonly staleness: { readonly boundMs: number }
  readonly calls: readonly Call[]
  readonly relations: readonly AccountedRelation[]
}

export interface Cost {
  readonly roundTrips: number
  readonly waves: number
  readonly requestCharge: number
}

export interface AccountedRelation {
  readonly field: string
  readonly from: 'SNAPSHOT' | 'REFERENCE'
  readonly because: string
  readonly resolved: number
}

export async function accountFor(ledger: Ledger, plan: Plan, store: Store, boundMs: number): Promise<Account> {
  const spared = await sparedCharge(ledger.unread, store)
  // A wave in which everything was known already made no round trip, so it is no wave.
  const waves = [...new Set(ledger.calls.map(({ wave }) => wave))].toSorted((one, other) => one - other)
  const made: Cost = {
    roundTrips: ledger.calls.length,
    waves: waves.length,
    requestCharge: hundredths(ledger.calls.reduce((sum, call) => sum + call.requestCharge, 0)),
  }
  return {
    made,
    naive: {
      roundTrips: ledger.asked + ledger.spared,
      waves: ledger.naiveWaves,
      requestCharge: hundredths(ledger.askedCharge + ledger.sparedCharge + spared),
    },
    saved: { byBatching: ledger.asked - made.roundTrips, bySnapshots: ledger.spared },
    estimated: store.supports.charges === 'estimated',
    staleness: { boundMs: ledger.usedCopies ? boundMs : 0 },
    calls: ledger.calls.map((call) => ({
      operation: call.operation,
      container: call.container,
      for: call.for,
      keys: call.keys,
      documents: call.documents,
      wave: waves.indexOf(call.wave) + 1,
      startMs: hundredths(call.startMs - ledger.startMs),
      durationMs: hundredths(call.durationMs),
      requestCharge: call.requestCharge,
    })),
    relations: relationsOf(plan),
  }
}

/** One entry per relation and way; a relation asked for twice the same way is one entry. */
function relationsOf(plan: Plan): AccountedRelation[] {
  const entries = new Map<string, AccountedRelation>()
  const add = (field: string, from: Choice['from'], because: string, resolved: number) => {
    const name = `${field} ${from} ${because}`
    entries.set(name, { field, from, because, resolved: resolved + (entries.get(name)?.resolved ?? 0) })
  }
  for (const { coordinate, choice, resolved, fellBack } of plan.all()) {
    if (!choice) continue
    if (resolved > fellBack || resolved === 0) add(coordinate, choice.from, choice.because, resolved - fellBack)
    if (fellBack > 0) add(coordinate, 'SNAPSHOT', 'the store did not answer, so a copy of any age did', fellBack)
  }
  return [...entries.values()]
}

/** What reading the documents would have been charged that copies stood in for, one by one. */
async function sparedCharge(unread: readonly Unread[], store: Store): Promise<number> {
  let charge = 0
  for (const [type, documents] of Map.groupBy(unread, (one) => one.type)) {
    const ids = [...new Set(documents.map(({ id }) => id))]
    const charges = new Map<string, number>()
    if (isFoundById(type)) {
      const keys = ids.map((id) => ({ partition: partitionFrom(type, { id })!, id }))
      const sizes = await store.sizes(type.container, keys)
      for (const [index, id] of ids.entries()) charges.set(id, readCharge(sizes[index]))
    } else {
      const found = await store.query({
        ...selectionOf(type), where: { op: 'in', path: ['id'], values: ids }, orderBy: { path: ['id'], descending: false }, limit: ids.length,
      })
      const sizes = new Map(found.map(({ key, bytes }) => [key.id, bytes]))
      for (const id of ids) charges.set(id, queryCharge(sizes.has(id) ? [sizes.get(id)!] : []))
    }
    for (const { id } of documents) charge += charges.get(id)!
  }
  return charge
}
