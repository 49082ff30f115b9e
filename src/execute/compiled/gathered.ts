// Documents that were looked up for all rows of a level: each is written once, and its text is put wherever
// a row points at it.

import type { Gathered } from '../../relations/kind.ts'
import { whenReady, type MaybePromise } from '../../store/maybe-promise.ts'
import { textOfParts, type Parts, type Shape } from './parts.ts'
import { flat } from './row-cache.ts'
import type { Run, Times } from './run.ts'
import { summed, writeAll, type Writer } from './json-writer.ts'

export function writeGathered(gathered: Gathered, document: Writer, shape: Shape, run: Run, times: Times): MaybePromise<readonly string[]> {
  const { places, lengths } = gathered
  return whenReady(textsOf(gathered, document, run, times), (texts) => {
    let next = 0
    return lengths.map((length) => textOfParts(places.slice(next, (next += length)).map((place) => texts[place]), shape))
  })
}

/** By place; undefined where a document is missing. */
function textsOf({ documents, distinct, places, lengths }: Gathered, writer: Writer, run: Run, times: Times): MaybePromise<Parts> {
  const present = distinct.filter((place) => documents[place] !== undefined)
  const shown = run.counts && summed(places, times && lengths.flatMap((length, at) => Array.from({ length }, () => times[at]!)))
  const written = writeAll(writer, present.map((place) => documents[place]), run, shown && present.map((place) => shown[place]!))
  return whenReady(written, (all) => {
    // A text that is shown in several places is put together once, and not wherever it is shown.
    const shared = places.length > present.length
    const texts: string[] = []
    for (let at = 0; at < present.length; at++) texts[present[at]!] = shared ? flat(all[at]!) : all[at]!
    return texts
  })
}
