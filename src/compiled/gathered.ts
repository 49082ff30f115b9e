// Documents that were looked up for all rows of a level: each is written once, and its text is put wherever
// a row points at it.

import type { Gathered } from '../relations/kind.ts'
import { whenThere, type OrLater } from '../store/or-later.ts'
import { GiveUp } from './give-up.ts'
import { flat } from './row-texts.ts'
import type { Run, Times } from './run.ts'
import { summed, writeAll, type Writer } from './writer.ts'

export interface Shape {
  readonly list: boolean
  /** Whether null is no answer: for a list, whether its elements can be null. */
  readonly required: boolean
}

export function writeGathered(gathered: Gathered, document: Writer, shape: Shape, run: Run, times: Times): OrLater<readonly string[]> {
  const { places, lengths } = gathered
  return whenThere(textsOf(gathered, document, run, times), (texts) => {
    let next = 0
    return lengths.map((length) => {
      const first = next
      next += length
      return shape.list ? listText(texts, places, first, next, shape) : oneText(length === 0 ? undefined : texts[places[first]!], shape)
    })
  })
}

/** By place; undefined where a document is missing. */
function textsOf({ documents, distinct, places, lengths }: Gathered, writer: Writer, run: Run, times: Times): OrLater<readonly (string | undefined)[]> {
  const present = distinct.filter((place) => documents[place] !== undefined)
  const shown = run.counts && summed(places, times && lengths.flatMap((length, at) => Array.from({ length }, () => times[at]!)))
  const written = writeAll(writer, present.map((place) => documents[place]), run, shown && present.map((place) => shown[place]!))
  return whenThere(written, (all) => {
    // A text that is shown in several places is put together once, and not wherever it is shown.
    const shared = places.length > present.length
    const texts: string[] = []
    for (let at = 0; at < present.length; at++) texts[present[at]!] = shared ? flat(all[at]!) : all[at]!
    return texts
  })
}

/** A document that is missing is left out of a list whose elements cannot be null. */
function listText(texts: readonly (string | undefined)[], places: readonly number[], from: number, to: number, { required }: Shape): string {
  let list = ''
  for (let at = from; at < to; at++) {
    const text = texts[places[at]!] ?? (required ? undefined : 'null')
    if (text !== undefined) list += list === '' ? text : `,${text}`
  }
  return `[${list}]`
}

function oneText(text: string | undefined, { required }: Shape): string {
  if (text === undefined && required) throw new GiveUp('a document is missing')
  return text ?? 'null'
}
