// Describes how a stored snapshot, list or count differs from its expected value. Computing the expected value is not
// done here.

import type { DocumentType, Field } from '../../model/model.ts'
import { holdsAmount, isSameAmount } from '../../relations/aggregates/stored-amount.ts'
import { idOf } from '../../relations/pointers/walk-pointers.ts'
import { compareText } from '../../model/keys/compare-scalars.ts'
import type { Body, Json } from '../../model/json/json.ts'
import { few, placeOf, type Finding } from './finding.ts'

/** Undefined where the stored value is as expected. */
export function mismatchFinding(field: Field, type: DocumentType, id: string, stored: Json | undefined, expected: Json | undefined): Finding | undefined {
  if (field.leaf) return countFinding(field, type, id, stored, expected)
  const difference = differenceOf(field, entriesOf(stored), entriesOf(expected))
  return difference === undefined ? undefined
    : { kind: 'drifted', at: field.coordinate, id, sentence: `${placeOf(field, type, id)} ${difference}`, repair: 'possible' }
}

/** A missing count is read as 0, so it is wrong only where there is something to count; of an aggregate, any other amount is wrong. */
export function countFinding(field: Field, type: DocumentType, id: string, stored: Json | undefined, expected: Json | undefined): Finding | undefined {
  if (holdsAmount(field) ? stored !== undefined && isSameAmount(stored, expected) : typeof expected !== 'number' || (stored ?? 0) === expected) return undefined
  const is = stored === undefined || stored === null ? 'missing' : JSON.stringify(stored)
  const sentence = `${placeOf(field, type, id)} is ${is}, expected ${JSON.stringify(expected)}. Repair writes ${JSON.stringify(expected)}.`
  return { kind: 'miscounted', at: field.coordinate, id, sentence, repair: 'possible' }
}

/** The order of entries is free. */
function differenceOf(field: Field, stored: readonly Json[], expected: readonly Json[]): string | undefined {
  const surplus = without(stored, expected)
  const lacking = without(expected, stored)
  if (surplus.length === 0 && lacking.length === 0) return undefined
  const originals = new Map(lacking.map((entry) => [idOf(entry), entry]))
  const copies = new Set(surplus.map(idOf))
  const stale = surplus.filter((entry) => originals.has(idOf(entry)))
  const wrong = surplus.filter((entry) => !originals.has(idOf(entry)))
  const missing = lacking.filter((entry) => !copies.has(idOf(entry)))
  const differing = stale.map((entry) => `${field.target} ${idOf(entry)} in ${differingNames(entry, originals.get(idOf(entry))!).join(' and ')}`)
  const parts = [
    ...(differing.length > 0 ? [`differs from ${few(differing)}`] : []),
    ...(wrong.length > 0 ? [`has wrong entries ${few(wrong.map(idOf))}`] : []),
    ...(missing.length > 0 ? [`lacks ${few(missing.map(idOf))}`] : []),
  ]
  return `${parts.join(' and ')}. ${wrong.length + missing.length > 0 ? 'Repair rebuilds the list from the references.' : 'Repair copies it again.'}`
}

/** The entries of one list that the other does not have, or not as often. */
function without(entries: readonly Json[], others: readonly Json[]): Json[] {
  const unmatched = Map.groupBy(others.map(comparableText), String)
  return entries.filter((entry) => unmatched.get(comparableText(entry))?.pop() === undefined)
}

/** The properties in which two entries with the same id differ. Bare ids can differ only in being text or a number. */
function differingNames(entry: Json, original: Json): string[] {
  const [one, other] = [entry, original].map((each) => (typeof each === 'object' && each !== null ? each : {}) as Body)
  const names = [...new Set([...Object.keys(other!), ...Object.keys(one!)])].filter((name) => name !== '_v' && name !== 'id' && comparableText(one![name]) !== comparableText(other![name]))
  return names.length > 0 ? names : ['form']
}

/** Equal texts mean that readers see no difference: the order of properties, null against absent, and versions do not count. */
function comparableText(value: Json | undefined): string {
  return JSON.stringify(value ?? null, (_, inner: Json) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    const visible = Object.entries(inner).filter(([name, each]) => name !== '_v' && each !== null)
    return Object.fromEntries(visible.toSorted(([a], [b]) => compareText(a, b)))
  })
}

function entriesOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? (value as readonly Json[]) : [value]
}
