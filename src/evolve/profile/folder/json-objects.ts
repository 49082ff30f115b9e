// The outermost objects of a JSON text, one by one: the elements of an array, the lines of JSON lines, or objects one after the other. Only one
// of them is in memory.

import { objectIn, type Body } from '../../../model/json/json.ts'

/** In characters. A longer one is skipped. */
const maxLength = 64 * 1024 * 1024

/** Undefined for text that is not an object. With `lines`, each line is one. */
export async function* jsonObjects(chunks: AsyncIterable<string>, lines = false): AsyncGenerator<(Body | undefined)[]> {
  let text = ''
  let depth = 0
  let inText = false
  let isEscaped = false
  for await (const chunk of chunks) {
    const found: (Body | undefined)[] = []
    let start = depth > 0 ? 0 : -1
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at]
      // A text has no line break, and no object begins where another one goes on: the line was cut off.
      if (character === '\n' && depth > 0 && (inText || lines || (chunk[at + 1] === '{' && !/[[:,{]\s*$/.test(text + chunk.slice(Math.max(start, at - 20), at))))) {
        found.push(undefined)
        ;[text, depth, start, inText, isEscaped] = ['', 0, -1, false, false]
      } else if (isEscaped) isEscaped = false
      else if (inText) {
        if (character === '\\') isEscaped = true
        else if (character === '"') inText = false
      } else if (character === '"') inText = depth > 0
      else if (character === '{') {
        if (depth === 0) start = at
        depth++
      } else if (character === '}' && depth > 0) {
        depth--
        if (depth > 0) continue
        found.push(objectIn(text + chunk.slice(start, at + 1)))
        text = ''
        start = -1
      }
    }
    if (start >= 0) text += chunk.slice(start)
    if (text.length > maxLength) {
      found.push(undefined)
      ;[text, depth, inText] = ['', 0, false]
    }
    if (found.length > 0) yield found
  }
  if (text !== '') yield [undefined]
}
