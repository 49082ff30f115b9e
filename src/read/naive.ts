// What one call would take if it were made by itself, with nothing gathered: the yardstick that the
// account holds made calls against. On a store that asks several places for a query, each is a round
// trip; those that have nothing to say are charged for looking.

import { countCharge, hundredths, queryCharge, readCharge } from '../store/cost-model.ts'
import type { Query, Selection } from '../store/query.ts'
import type { Store, StoredDocument } from '../store/store.ts'
import type { Naive } from './read-log.ts'

export function readAlone(bytes: number | undefined): Naive {
  return { roundTrips: 1, charge: readCharge(bytes) }
}

export function queryAlone(store: Store, query: Query, found: readonly Pick<StoredDocument, 'bytes'>[]): Naive {
  const roundTrips = store.reach(query)
  return { roundTrips, charge: hundredths(queryCharge(found.map(({ bytes }) => bytes)) + (roundTrips - 1) * queryCharge([])) }
}

export function countAlone(store: Store, selection: Selection): Naive {
  const roundTrips = store.reach(selection)
  return { roundTrips, charge: hundredths(roundTrips * countCharge()) }
}
