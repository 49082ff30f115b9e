// The expected cost of reads, as ranges: the most when every list is full, the least when nothing is found that need not be
// there. Charges follow the cost model.

import type { Cost } from '../../store/cost-model.ts'
import type { PlannedRead, Range } from '../../read/planned-reads.ts'
import { aggregateCharge, countCharge, hundredths, uniformQueryCharge, uniformReadCharge, readCharge } from '../../store/cost-model.ts'
import type { Known } from './assumptions.ts'
import type { ExplainedRead } from './explained-node.ts'
import { none, plus, times } from './range.ts'
import { scatteredCost, type BatchCost } from './scattered-cost.ts'
import { defaultWave, lastWave, timingsOf } from './waves.ts'

export type Expected = { readonly [K in keyof Cost]: Range }

/** With the reads of one wave in batches. */
export function expectedOf(reads: readonly ExplainedRead[], known: Known): Expected {
  const timings = timingsOf(reads, known)
  const loaders = [...Map.groupBy(reads, ({ asked }) => asked.loader).values()].map((all) => {
    const certain = all.filter((read) => keysOf(read, known).least > 0)
    const batches = [...Map.groupBy(all, (read) => defaultWave(timings.get(read)!)).values()].map((together) => batchCost(together, known))
    // Rows whose holders were there earlier read earlier, in a batch of their own.
    const early = new Set(all.flatMap((read) => [...timings.get(read)!.asked])).size - batches.length
    const most = early > 0 && known.scattered ? repeated(batchCost(all, known), batches.length + early) : total([...batches, repeated({ roundTrips: 1, requestCharge: startCharge }, early)])
    return {
      roundTrips: { least: Number(certain.length > 0), most: most.roundTrips },
      requestCharge: {
        least: Math.min(...certain.map(({ asked }) => leastCharge(asked, known)), certain.length > 0 ? Infinity : 0),
        most: most.requestCharge,
      },
    }
  })
  const sure = reads.filter((read) => keysOf(read, known).least > 0)
  const waves = {
    least: Math.max(0, ...sure.map((read) => Math.min(...timings.get(read)!.answered))),
    most: Math.max(0, ...reads.map((read) => lastWave(timings.get(read)!))),
  }
  return { roundTrips: sumOf(loaders.map(({ roundTrips }) => roundTrips)), waves, requestCharge: rounded(sumOf(loaders.map(({ requestCharge }) => requestCharge))) }
}

/** With every read by itself, for each holder and key. */
export function expectedAlone(reads: readonly ExplainedRead[], known: Known): Expected {
  const asking = reads.map((read) => ({ read, keys: times(times(read.holders, read.asked.keys), { least: read.repeated, most: read.repeated }) }))
  const depth = (read: ExplainedRead | undefined): number => (read ? 1 + depth(read.after) : 0)
  return {
    roundTrips: sumOf(asking.map(({ read: { asked }, keys }) => ({ least: keys.least, most: keys.most * aloneCost(asked, known).roundTrips }))),
    waves: {
      least: Math.max(0, ...asking.filter(({ keys }) => keys.least > 0).map(({ read }) => depth(read))),
      most: Math.max(0, ...reads.map(depth)),
    },
    requestCharge: rounded(sumOf(asking.map(({ read: { asked }, keys }) => ({
      least: keys.least * leastCharge(asked, known),
      most: keys.most * aloneCost(asked, known).requestCharge,
    })))),
  }
}

/** The distinct keys of a read, as far as they are known. */
export function keysOf({ holders, asked }: ExplainedRead, known: Known): Range {
  const { least, most } = times(holders, asked.keys)
  // Holders may point at the same documents.
  return { least: Math.min(least, 1), most: Math.min(most, asked.by === 'key' ? known.count(asked.type) : Infinity) }
}

/** The cost of one batch of reads when everything is found. */
export function batchCost(reads: readonly ExplainedRead[], known: Known): BatchCost {
  const [{ asked }] = reads as [ExplainedRead]
  const most = Math.min(reads.reduce((sum, read) => sum + keysOf(read, known).most, 0), asked.by === 'key' ? known.count(asked.type) : Infinity)
  const full = Math.floor(most / known.keysPerRequest)
  const rest = most % known.keysPerRequest
  return total([repeated(callCost(asked, known.keysPerRequest, known), full), callCost(asked, rest, known)])
}

/** One call with so many keys when everything is found. */
function callCost(asked: PlannedRead, keys: number, known: Known): BatchCost {
  const bytes = known.bytes(asked).most
  if (known.scattered) return scatteredCost(asked, keys, { count: known.count(asked.type), bytes }, known.scattered)
  return { roundTrips: Number(keys > 0), requestCharge: keys === 0 ? 0 : chargeOf(asked, keys, asked.documents.most, bytes, known) }
}

/** A single key, which is read without others. */
function aloneCost(asked: PlannedRead, known: Known): BatchCost {
  return callCost(asked, 1, known)
}

function leastCharge(asked: PlannedRead, known: Known): number {
  // What finds nothing costs less where charges are measured than the model says.
  if (known.scattered && (asked.by === 'count' || asked.by === 'aggregate')) return uniformQueryCharge(0, 0)
  return chargeOf(asked, 1, asked.documents.least, known.bytes(asked).least, known)
}

/** What a call that finds documents costs beside them. */
const startCharge = 2.8

/** The charge of one call with so many keys and so many documents for each. */
function chargeOf(asked: PlannedRead, keys: number, documents: number, bytes: number, known: Known): number {
  if (asked.by === 'count') return keys * countCharge()
  if (asked.by === 'aggregate') return keys * aggregateCharge(documents)
  if (asked.by === 'page') return keys * uniformQueryCharge(Math.min(documents, known.count(asked.type)), bytes)
  if (asked.selection) return uniformQueryCharge(keys * documents, bytes)
  return keys === 1 ? readCharge(documents === 0 ? undefined : bytes) : uniformReadCharge(keys, bytes)
}

/** Infinity times zero is not a number. */
function repeated({ roundTrips, requestCharge }: BatchCost, calls: number): BatchCost {
  return calls === 0 ? { roundTrips: 0, requestCharge: 0 } : { roundTrips: calls * roundTrips, requestCharge: calls * requestCharge }
}

function total(calls: readonly BatchCost[]): BatchCost {
  return {
    roundTrips: calls.reduce((sum, { roundTrips }) => sum + roundTrips, 0),
    requestCharge: calls.reduce((sum, { requestCharge }) => sum + requestCharge, 0),
  }
}

function sumOf(ranges: readonly Range[]): Range {
  return ranges.reduce(plus, none)
}

/** The bounds hold when they are printed, too. */
function rounded({ least, most }: Range): Range {
  return { least: Math.floor(hundredths(least * 100)) / 100, most: Math.ceil(hundredths(most * 100)) / 100 }
}
