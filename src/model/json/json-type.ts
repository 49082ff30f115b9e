// What kind of JSON value something is, in the words of messages that must not quote it.

/** With an article; `missing` for a property that is not there. */
export function jsonType(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
