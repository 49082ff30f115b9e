// Values as JSON has them, and the questions that every part of Quire asks about them.

export type Json = null | boolean | number | string | readonly Json[] | Body

/** What a document holds. */
export interface Body {
  readonly [property: string]: Json | undefined
}

/** `isObject` for what is known to be JSON. */
export function isBody(value: Json | undefined): value is Body {
  return isObject(value)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
