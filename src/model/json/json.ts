// The types of JSON values, and checks of them that every room uses.

/**
 * A JSON value.
 *
 * @example
 * ```ts
 * const tags: Json = ['new', { since: 2024 }]
 * ```
 */
export type Json = null | boolean | number | string | readonly Json[] | Body

/**
 * The content of a document.
 *
 * @example
 * ```ts
 * const wordsIn = ({ text }: Body): number => String(text).split(' ').length
 * ```
 */
export interface Body {
  readonly [property: string]: Json | undefined
}

/**
 * The documents of a schema by the names of their types, as `quire codegen` writes them. By default, all that is known is that they are JSON.
 *
 * @example
 * ```ts
 * interface Stored extends StoredTypes {
 *   readonly Post: { readonly id: string; readonly title: string }
 * }
 * const titlesOf = async ({ quire }: ResolverContext<Stored>): Promise<void> => {
 *   for await (const { document } of quire.changes.of('Post')) console.log(document.body.title)
 * }
 * ```
 */
export interface StoredTypes {
  readonly [type: string]: Body
}

/** `isObject` for a value that is known to be JSON. */
export function isBody(value: Json | undefined): value is Body {
  return isObject(value)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object that a text says; undefined for any other text. */
export function objectIn(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? (value as Body) : undefined
  } catch {
    return undefined
  }
}

/** Whether lists and objects are nested deeper than a max. It looks no deeper, so input made to overflow the stack cannot. */
export function isNestedBeyond(value: unknown, max: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (max === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (isNestedBeyond(inner, max - 1)) return true
  return false
}

/** How many values there are, in lists and objects too. */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const inner of Array.isArray(value) ? value : Object.values(value)) count += countValues(inner)
  return count
}
