// Receipts for stores that live in this process, where every call is one round trip and its charge
// comes from the cost model. Stores that report their own charges write their own receipts.

import { keyText, type Key } from '../../model/keys/key.ts'
import { countCharge, hundredths, queryCharge, readCharge, readManyCharge, writeCharge } from '../cost-model.ts'
import type { Meter, Receipt, StoredDocument } from '../store.ts'

export type Call = Pick<Receipt, 'operation' | 'container' | 'keys'>
export type Charged = Pick<Receipt, 'documents' | 'requestCharge'>

/** What a write did, as far as its charge depends on it. `bytes` is undefined for a deletion. */
export interface WrittenSizes {
  readonly bytes: number | undefined
  readonly replacedBytes: number | undefined
}

/** Runs a call and tells the meter about it; without a meter it only runs it. */
export function metered<Answer>(
  meter: Meter | undefined,
  call: Call,
  run: () => Answer | Promise<Answer>,
  account: (answer: Answer) => Charged,
): Answer | Promise<Answer> {
  if (meter === undefined) return run()
  const timing = timed(meter)
  timing.start(call)
  let answer: Answer | Promise<Answer>
  try {
    answer = run()
  } catch (error) {
    timing.fail()
    throw error
  }
  if (answer instanceof Promise) return timing.until(answer, account)
  timing.end(account, answer)
  return answer
}

/** The same for a call that begins some time later, if at all, and is over when its promise is. */
export function timed(meter: Meter | undefined) {
  let begun: { readonly call: Call; readonly startMs: number } | undefined
  const tell = (durationMs: number, { documents, requestCharge }: Charged): void =>
    meter!({ ...begun!.call, documents, wave: 0, startMs: begun!.startMs, durationMs, requestCharge })
  const timing = {
    start(call: Call): void {
      begun = { call, startMs: performance.now() }
    },
    end<Answer>(account: (answer: Answer) => Charged, answer: Answer): void {
      // Working out the charge is no part of the call.
      const endMs = performance.now()
      if (meter && begun) tell(endMs - begun.startMs, account(answer))
    },
    fail(): void {
      if (meter && begun) tell(performance.now() - begun.startMs, inVain)
    },
    async until<Answer>(answer: Promise<Answer>, account: (answer: Answer) => Charged): Promise<Answer> {
      let answered: Answer
      try {
        answered = await answer
      } catch (error) {
        timing.fail()
        throw error
      }
      timing.end(account, answered)
      return answered
    },
  }
  return timing
}

/** The store was asked all the same, and looked: that costs what looking in vain does. */
const inVain: Charged = { documents: 0, requestCharge: readCharge(undefined) }

/** A key that was asked for twice is read, and paid for, once. */
export function readAccount(keys: readonly Key[], found: readonly (StoredDocument | undefined)[]): Charged {
  const sizeByKey = new Map(keys.map((key, at) => [keyText(key), found[at]?.bytes]))
  const sizes = [...sizeByKey.values()]
  return {
    documents: sizes.filter((bytes) => bytes !== undefined).length,
    requestCharge: sizes.length === 1 ? readCharge(sizes[0]) : readManyCharge(sizes),
  }
}

export function queryAccount(pages: readonly (readonly Pick<StoredDocument, 'bytes'>[])[]): Charged {
  return {
    documents: sum(pages.map((page) => page.length)),
    requestCharge: hundredths(sum(pages.map((page) => queryCharge(page.map((document) => document.bytes))))),
  }
}

export function countAccount(counts: readonly number[]): Charged {
  return { documents: 0, requestCharge: hundredths(sum(counts.map(() => countCharge()))) }
}

export function writeAccount(written: readonly WrittenSizes[]): Charged {
  return { documents: written.length, requestCharge: hundredths(sum(written.map(chargeOf))) }
}

/** Taking a document away costs what putting it there did. */
function chargeOf({ bytes, replacedBytes }: WrittenSizes): number {
  return bytes === undefined ? writeCharge(replacedBytes ?? 0) : writeCharge(bytes, replacedBytes)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
