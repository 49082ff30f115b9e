// The custom scalars that Quire knows by name: how a value is written by clients, how it is stored, and how it is shown. A stored value has one
// form, so that equal values are equal texts or numbers and their order is that of the values, in every store. What a value may
// be is said by graphql-scalars, which is loaded when a schema first declares one of them.

import { createRequire } from 'node:module'
import type { GraphQLScalarType } from 'graphql'
import type { Json } from '../json/json.ts'
import { isBigIntText, readBigInt, showBigInt } from './big-int-text.ts'

export interface KnownScalar {
  readonly ordered: boolean
  readonly text: boolean
  /** Whether values can be compared at all. */
  readonly comparable: boolean
  /** The value as it is stored. Throws an error whose message completes "DateTime cannot be …: …". */
  readonly store: (given: unknown) => Json
  /** The stored value as clients see it. Throws if it is none. */
  readonly show: (stored: unknown) => unknown
  /** Whether a stored value has the form that `store` gives. */
  readonly fits: (stored: unknown) => boolean
  /** The TypeScript type of a stored value. */
  readonly typescript: string
}

const text = { comparable: true, typescript: 'string' } as const

export const knownScalars: Readonly<Record<string, KnownScalar>> = {
  DateTime: sameForm({ ...text, ordered: true, text: false, store: storedMoment }),
  Date: sameForm({ ...text, ordered: true, text: false, store: (given) => dayOf(parsed('Date', given)) }),
  UUID: sameForm({ ...text, ordered: false, text: false, store: (given) => String(parsed('UUID', given)).toLowerCase() }),
  URL: sameForm({ ...text, ordered: true, text: true, store: (given) => (parsed('URL', given) as URL).href }),
  EmailAddress: sameForm({ ...text, ordered: true, text: true, store: (given) => String(parsed('EmailAddress', given)) }),
  Decimal: { comparable: true, ordered: true, text: false, typescript: 'number', store: storedDecimal, show: shownDecimal, fits: (stored) => typeof stored === 'number' && fits(storedDecimal, stored) },
  BigInt: { ...text, ordered: true, text: false, store: readBigInt, show: (stored) => showBigInt(isBigIntText(stored) ? stored : readBigInt(stored)), fits: isBigIntText },
  JSON: { comparable: false, ordered: false, text: false, typescript: 'unknown', store: (given) => given as Json, show: (stored) => stored, fits: () => true },
}

/** A value that code of the schema's own gives, such as `new Date()`, as it is stored. What GraphQL has read is stored as it is. */
export function storedValue(scalar: string, value: unknown): Json {
  return (value instanceof Date || typeof value === 'bigint') && Object.hasOwn(knownScalars, scalar) ? knownScalars[scalar]!.store(value) : (value as Json)
}

/** A scalar whose values are texts that clients see as they are stored. Texts in another form, which other programs wrote, are shown in this one. */
function sameForm(scalar: Omit<KnownScalar, 'show' | 'fits'>): KnownScalar {
  return { ...scalar, show: scalar.store, fits: (stored) => typeof stored === 'string' && fits(scalar.store, stored) }
}

function fits(store: KnownScalar['store'], stored: Json): boolean {
  try {
    return store(stored) === stored
  } catch {
    return false
  }
}

/** In UTC, with milliseconds: all texts have the same length, so they are ordered as the moments are. */
function storedMoment(given: unknown): string {
  const moment = parsed('DateTime', given) as Date
  if (typeof given === 'string' && /\.\d{3}\d*[1-9]/.test(given)) throw new Error('it is more exact than a millisecond')
  const stored = moment.toISOString()
  if (stored.length !== 24) throw new Error('its year has more than four digits')
  return stored
}

function dayOf(day: unknown): string {
  return (day as Date).toISOString().slice(0, 10)
}

/** As many digits as a number of JSON keeps exactly. */
const maxDigits = 15

/** A number, because every store orders, compares and adds numbers. */
function storedDecimal(given: unknown): number {
  const [, whole, fraction = ''] = (typeof given === 'number' || typeof given === 'string' ? /^[+-]?(\d+)(?:\.(\d+))?$/.exec(decimalText(given)) : undefined) ?? []
  if (whole === undefined) throw new Error('it is no decimal number')
  const digits = `${whole}${fraction}`.replace(/^0+/, '').length - (fraction === '' ? 0 : /0*$/.exec(fraction)![0].length)
  if (digits > maxDigits || fraction.replace(/0+$/, '').length > maxDigits) throw new Error(`it has more than ${maxDigits} digits`)
  return Number(given) + 0
}

function shownDecimal(stored: unknown): string {
  if (typeof stored !== 'number' || !Number.isFinite(stored)) throw new Error('it is no number')
  return decimalText(stored)
}

/** Without an exponent. */
function decimalText(value: number | string): string {
  const shown = String(value)
  if (typeof value === 'string' || !shown.includes('e')) return shown
  return Math.abs(value) >= 1 ? shown : value.toFixed(maxDigits).replace(/\.?0+$/, '')
}

/** What graphql-scalars reads. */
const forms = {
  DateTime: 'a date and time with a time zone, such as 2024-03-01T10:00:00Z',
  Date: 'a date, such as 2024-03-01',
  UUID: 'a UUID',
  URL: 'an absolute URL',
  EmailAddress: 'an email address',
} as const

/** What graphql-scalars makes of a value. Its own errors would quote the value once more. */
function parsed(name: keyof typeof forms, given: unknown): unknown {
  const written = given instanceof Date && !Number.isNaN(given.getTime()) ? (name === 'Date' ? given.toISOString().slice(0, 10) : given.toISOString()) : given
  library ??= createRequire(import.meta.url)('graphql-scalars') as Record<string, GraphQLScalarType>
  try {
    if (typeof written === 'string') return library[`GraphQL${name}`]!.parseValue(written)
  } catch {
    // Said below.
  }
  throw new Error(`it is not ${forms[name]}`)
}

let library: Record<string, GraphQLScalarType> | undefined
