// Texts as PostgreSQL can keep them: it has no NUL and no half of a surrogate pair. Both are written with characters that no text
// in practice has, so that different texts stay different and in the same order. All other texts are as they are.
//
//   U+0000   U+0001 U+FDD0          U+0001   U+0001 U+FDD1
//   U+D7FF   U+D7FF U+FDD0          half     U+D7FF U+FDD1 and a character that numbers it

const [first, second] = ['\ufdd0', '\ufdd1']

/** Halves of pairs are numbered from here. */
const halves = 0x4e00

export function portable(text: string): string {
  if (!needsChange.test(text) && text.isWellFormed()) return text
  let changed = ''
  for (const character of text) changed += portableCharacter(character)
  return changed
}

/** The same for all texts within a JSON text that JSON.stringify has written. */
export function portableJson(json: string): string {
  if (!needsChangeInJson.test(json)) return json
  return json.replaceAll(inJson, (found, half?: string) => {
    if (half !== undefined) return portableCharacter(String.fromCharCode(Number.parseInt(half, 16)))
    return found === String.raw`\u0000` ? String.raw`\u0001` + first : found === String.raw`\u0001` ? String.raw`\u0001` + second : found === '\ud7ff' ? portableCharacter(found) : found
  })
}

/** The inverse of `portableJson`. */
export function originalJson(json: string): string {
  if (!isChangedJson.test(json)) return json
  return json.replaceAll(inPortableJson, (found) => {
    if (found.startsWith(String.raw`\u0001`)) return found.endsWith(first) ? String.raw`\u0000` : String.raw`\u0001`
    if (!found.startsWith('\ud7ff')) return found
    return found.length === 2 ? '\ud7ff' : String.raw`\u` + (found.charCodeAt(2) - halves + 0xd800).toString(16)
  })
}

function portableCharacter(character: string): string {
  if (character === '\0') return `\u0001${first}`
  if (character === '\u0001') return `\u0001${second}`
  if (character === '\ud7ff') return character + first
  return character.isWellFormed() ? character : `\ud7ff${second}${String.fromCharCode(character.charCodeAt(0) - 0xd800 + halves)}`
}

// oxlint-disable-next-line no-control-regex -- these are what it looks for
const needsChange = /[\0\u0001\ud7ff]/
const needsChangeInJson = /\\u000[01]|\\ud|\ud7ff/
/** Every escape is taken whole, so that the second half of an escaped backslash begins none. */
const inJson = /\\u(d[89a-f][0-9a-f]{2})|\\u[0-9a-f]{4}|\\.|\ud7ff/g
const isChangedJson = /\\u0001|\ud7ff/
const inPortableJson = /\\u0001[\ufdd0\ufdd1]|\\u[0-9a-f]{4}|\\.|\ud7ff\ufdd1[\u4e00-\u55ff]|\ud7ff\ufdd0/g
