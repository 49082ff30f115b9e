// What each scalar means to Quire: how it is compared, whether it can hold an id, and how it is read from text. Custom scalars
// that Quire knows are described in values/known-scalars.ts. Enums, JSON and other custom
// scalars are not here: they are compared for equality, or not at all. How leaf values are
// written as JSON, where speed decides the form, is in execute/compiled/leaf-text.ts.

import type { Json } from './json/json.ts'
import { knownScalars, type KnownScalar } from './values/known-scalars.ts'

export interface Scalar {
  /** Whether filters can ask for less and more. */
  readonly ordered: boolean
  /** Whether filters can ask for a part of the text. */
  readonly text: boolean
  /** How values are stored that aggregates measure: numbers are summed, both are compared. Absent where there is no order. */
  readonly measured?: 'number' | 'string'
  /** Whether a field of this type can hold the id of a document. */
  readonly holdsId: boolean
  /** Whether a stored value is one of this type, so that filters and orders find it. GraphQL shows more, such as a number as text. */
  readonly fits: (stored: unknown) => boolean
  /** Reads the value from text, such as a cell of a file. `wrong` completes the sentence "which is …". */
  readonly fromText: (text: string) => { readonly value: Json } | { readonly wrong: string }
}

const scalars: Readonly<Record<string, Scalar>> = {
  ID: { ordered: false, text: false, holdsId: true, fits: isText, fromText: (text) => ({ value: text }) },
  String: { ordered: true, measured: 'string', text: true, holdsId: true, fits: isText, fromText: (text) => ({ value: text }) },
  Int: { ordered: true, measured: 'number', text: false, holdsId: false, fits: isInt, fromText: readInt },
  Float: { ordered: true, measured: 'number', text: false, holdsId: false, fits: Number.isFinite, fromText: readFloat },
  Boolean: { ordered: false, text: false, holdsId: false, fits: isBoolean, fromText: readBoolean },
  ...Object.fromEntries(Object.entries(knownScalars).filter(([, { comparable }]) => comparable).map(([name, known]) => [name, custom(name, known)])),
}

/** The type of sums and averages: a sum of decimals is shown as they are, every other one is a number. */
export function sumOf(scalar: string): string {
  return scalar === 'Decimal' ? 'Decimal' : 'Float'
}

/** Undefined for enums and custom scalars that Quire does not know. */
export function scalarCalled(name: string): Scalar | undefined {
  return Object.hasOwn(scalars, name) ? scalars[name] : undefined
}

function custom(name: string, { ordered, typescript, text, fits, store }: KnownScalar): Scalar {
  return {
    ...(ordered ? { measured: typescript === 'number' ? 'number' : 'string' } : {}),
    ordered, text, fits, holdsId: false,
    fromText(given) {
      try {
        return { value: store(given) }
      } catch (error) {
        return { wrong: `no ${name}: ${error instanceof Error ? error.message : String(error)}` }
      }
    },
  }
}

function isText(stored: unknown): boolean {
  return typeof stored === 'string'
}

function isInt(stored: unknown): boolean {
  return typeof stored === 'number' && Number.isInteger(stored) && Math.abs(stored) <= 2 ** 31
}

function isBoolean(stored: unknown): boolean {
  return typeof stored === 'boolean'
}

function readInt(text: string): ReturnType<Scalar['fromText']> {
  if (!isNumber(text)) return { wrong: 'no number' }
  if (!Number.isInteger(Number(text))) return { wrong: 'no whole number' }
  return Math.abs(Number(text)) >= 2 ** 31 ? { wrong: 'more than an Int can hold' } : { value: Number(text) }
}

function readFloat(text: string): ReturnType<Scalar['fromText']> {
  return isNumber(text) ? { value: Number(text) } : { wrong: 'no number' }
}

function readBoolean(text: string): ReturnType<Scalar['fromText']> {
  if (/^(true|yes|1)$/i.test(text)) return { value: true }
  return /^(false|no|0)$/i.test(text) ? { value: false } : { wrong: 'neither true nor false' }
}

/** Only decimal notation: JavaScript's `Number` also accepts hexadecimal and empty text. */
function isNumber(text: string): boolean {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
}
