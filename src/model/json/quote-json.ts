// Quotes strings as JSON about ten times as fast as `JSON.stringify`: most strings have nothing to escape and only need
// quotes around them.

/** The same as `JSON.stringify(text)`. */
export function quoted(text: string): string {
  return special.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** The characters that JSON escapes: quotes, backslashes, control characters and halves of surrogate pairs. */
// oxlint-disable-next-line no-control-regex
const special = /["\\\u0000-\u001f\ud800-\udfff]/
