// The texts of the documents that a row points at, and the text that they make together.

import { GiveUp } from './give-up.ts'

/** In the order in which the row points at them; undefined stands for one that is missing. */
export type Parts = readonly (string | undefined)[]

export interface Shape {
  readonly list: boolean
  /** Whether null is no answer: for a list, whether its elements can be null. */
  readonly required: boolean
}

export function textOfParts(parts: Parts, { list, required }: Shape): string {
  return list ? listText(parts, required) : oneText(parts[0], required)
}

/** A document that is missing is left out of a list whose elements cannot be null. */
function listText(parts: Parts, required: boolean): string {
  let list = ''
  for (const part of parts) {
    const text = part ?? (required ? undefined : 'null')
    if (text !== undefined) list += list === '' ? text : `,${text}`
  }
  return `[${list}]`
}

function oneText(text: string | undefined, required: boolean): string {
  if (text === undefined && required) throw new GiveUp('a document is missing')
  return text ?? 'null'
}
