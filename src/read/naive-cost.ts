// What a read would cost by itself, without batching: the cost report compares the calls that were made with this.
// Where a store asks several physical partitions for a query, each is a round trip, and those that find nothing
// still charge for looking.

import { aggregateCharge, countCharge, hundredths, queryCharge, readCharge } from '../store/cost-model.ts'
import type { Query, Selection } from '../store/query.ts'
import type { Store, StoredDocument } from '../store/store.ts'
import type { NaiveCost } from './read-log.ts'

export function naiveReadCost(bytes: number | undefined): NaiveCost {
  return { roundTrips: 1, charge: readCharge(bytes) }
}

/** `measured` is the charge of a query that was made by itself, if the store tells charges. */
export function naiveQueryCost(store: Store, query: Query, found: readonly Pick<StoredDocument, 'bytes'>[], measured?: number): NaiveCost {
  const roundTrips = store.reach(query)
  return { roundTrips, charge: measured ?? hundredths(queryCharge(found.map(({ bytes }) => bytes)) + (roundTrips - 1) * queryCharge([])) }
}

/** `measured` is the charge, where the groups were read by themselves. */
export function naiveAggregateCost(store: Store, selection: Selection, groups: number, measured?: number): NaiveCost {
  const roundTrips = store.reach(selection)
  return { roundTrips, charge: measured ?? hundredths(aggregateCharge(groups) + (roundTrips - 1) * aggregateCharge(0)) }
}

export function naiveCountCost(store: Store, selection: Selection): NaiveCost {
  const roundTrips = store.reach(selection)
  return { roundTrips, charge: hundredths(roundTrips * countCharge()) }
}
