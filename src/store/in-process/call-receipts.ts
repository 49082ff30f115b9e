// Receipts for stores in this process, where every call is one round trip and the cost model gives its charge. Stores
// that measure their charges make their own receipts.

import { keyText, type Key } from '../../model/keys/key.ts'
import type { Aggregated } from '../aggregate/aggregation.ts'
import { aggregateCharge, countCharge, hundredths, pageCharge, readCharge, ReadTally, writeCharge } from '../cost-model.ts'
import type { Meter, Receipt, StoredDocument } from '../store.ts'

export type Call = Pick<Receipt, 'operation' | 'container' | 'keys'>
export type CallCost = Pick<Receipt, 'documents' | 'requestCharge'>

/** The sizes that the charge of a write depends on. `bytes` is undefined for a deletion. */
export interface WrittenSizes {
  readonly bytes: number | undefined
  readonly replacedBytes: number | undefined
}

/** Runs a call and reports it to the meter, if there is one. Every read passes here, so a call that answers at once makes nothing but its receipt. */
export function metered<Answer>(
  meter: Meter | undefined, operation: Receipt['operation'], container: string, keys: number,
  run: () => Answer | Promise<Answer>, costOf: (answer: Answer) => CallCost,
): Answer | Promise<Answer> {
  if (meter === undefined) return run()
  const startMs = performance.now()
  let answer: Answer | Promise<Answer>
  try {
    answer = run()
  } catch (error) {
    report(meter, { operation, container, keys }, startMs, performance.now(), failureCost)
    throw error
  }
  if (answer instanceof Promise) return meteredLater(meter, { operation, container, keys }, startMs, answer, costOf)
  // Computing the charge is not part of the call.
  const endMs = performance.now()
  report(meter, { operation, container, keys }, startMs, endMs, costOf(answer))
  return answer
}

async function meteredLater<Answer>(meter: Meter, call: Call, startMs: number, promise: Promise<Answer>, costOf: (answer: Answer) => CallCost): Promise<Answer> {
  let answer: Answer
  try {
    answer = await promise
  } catch (error) {
    report(meter, call, startMs, performance.now(), failureCost)
    throw error
  }
  const endMs = performance.now()
  report(meter, call, startMs, endMs, costOf(answer))
  return answer
}

function report(meter: Meter, { operation, container, keys }: Call, startMs: number, endMs: number, { documents, requestCharge }: CallCost): void {
  meter({ operation, container, keys, documents, wave: 0, startMs, durationMs: endMs - startMs, requestCharge })
}

/** For a call that starts some time later, or never, and ends with its promise. A call that never starts is not reported. */
export function callTimer(meter: Meter | undefined) {
  let started: { readonly call: Call; readonly startMs: number } | undefined
  const timer = {
    start(call: Call): void {
      started = { call, startMs: performance.now() }
    },
    end<Answer>(costOf: (answer: Answer) => CallCost, answer: Answer): void {
      // Computing the charge is not part of the call.
      const endMs = performance.now()
      if (meter && started) report(meter, started.call, started.startMs, endMs, costOf(answer))
    },
    fail(): void {
      if (meter && started) report(meter, started.call, started.startMs, performance.now(), failureCost)
    },
    async until<Answer>(promise: Promise<Answer>, costOf: (answer: Answer) => CallCost): Promise<Answer> {
      let answer: Answer
      try {
        answer = await promise
      } catch (error) {
        timer.fail()
        throw error
      }
      timer.end(costOf, answer)
      return answer
    },
  }
  return timer
}

export type CallTimer = ReturnType<typeof callTimer>

/** A failed call costs as much as reading a missing document. */
const failureCost: CallCost = { documents: 0, requestCharge: readCharge(undefined) }

/** A key that is given twice is read and charged once. */
export function readCost(keys: readonly Key[], found: readonly (StoredDocument | undefined)[]): CallCost {
  const tally = new ReadTally()
  const isDistinct = new Set(keys.map(({ id }) => id)).size === keys.length
  if (isDistinct) for (const document of found) tally.add(document?.bytes)
  else for (const bytes of new Map(keys.map((key, at) => [keyText(key), found[at]?.bytes])).values()) tally.add(bytes)
  return { documents: tally.documents, requestCharge: tally.charge() }
}

/** The cost of one page. */
export function pageCost(page: readonly Pick<StoredDocument, 'bytes'>[]): CallCost {
  let bytes = 0
  for (const document of page) bytes += document.bytes
  return { documents: page.length, requestCharge: pageCharge(page.length, bytes) }
}

/** The same for several. */
export function queryCost(pages: readonly (readonly Pick<StoredDocument, 'bytes'>[])[]): CallCost {
  let [documents, charge] = [0, 0]
  for (const page of pages) {
    const cost = pageCost(page)
    documents += cost.documents
    charge += cost.requestCharge
  }
  return { documents, requestCharge: hundredths(charge) }
}

export function countCost(counts: number): CallCost {
  return { documents: 0, requestCharge: hundredths(counts * countCharge()) }
}

export function aggregateCost(answers: readonly Aggregated[]): CallCost {
  return { documents: 0, requestCharge: hundredths(sum(answers.map((groups) => aggregateCharge(groups.length)))) }
}

export function writeCost(written: readonly WrittenSizes[]): CallCost {
  return { documents: written.length, requestCharge: hundredths(sum(written.map(chargeOf))) }
}

/** Deleting a document costs as much as writing it did. */
function chargeOf({ bytes, replacedBytes }: WrittenSizes): number {
  return bytes === undefined ? writeCharge(replacedBytes ?? 0) : writeCharge(bytes, replacedBytes)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
