// What texts look like: dates, times, addresses of the web, ids. Only the form is told here, not what a property means.

export const textFormats = ['date', 'time', 'url', 'other'] as const

export type TextFormat = (typeof textFormats)[number]

export function textFormatOf(text: string): TextFormat {
  if (text.length >= 8 && text.length <= 35 && /^\d{4}-\d\d-\d\d/.test(text)) {
    if (text.length === 10) return 'date'
    return /^.{10}[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.test(text) ? 'time' : 'other'
  }
  return /^https?:\/\//.test(text) ? 'url' : 'other'
}

/** The form of an id: two properties whose values have no form in common cannot hold the same ids. */
export function idFormOf(id: string | number): string {
  if (typeof id === 'number') return idFormOf(String(id))
  if (/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id)) return 'uuid'
  if (/^\d+$/.test(id)) return id.length <= longestNumber ? digits : `code ${id.length}`
  if (/^[0-9a-f]{16,}$/i.test(id)) return `hex ${id.length}`
  return id.slice(0, 60).replaceAll(/\p{L}+/gu, 'a').replaceAll(/\d+/g, '9').replaceAll(/a9[a9]*|9a[a9]*/g, 'm')
}

/** A number that could count anything. */
export const digits = 'digits'

const longestNumber = 7

/** People do not type such values, so two equal ones mean the same. */
export function isTelling(form: string): boolean {
  return form === 'uuid' || form.startsWith('hex ')
}
