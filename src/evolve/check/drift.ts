// What a document keeps of others, against what those others say: copies, lists of who points here,
// and numbers. Working out what is true is the kinds' business.

import type { DocumentType, Field } from '../../model/model.ts'
import { idOf } from '../../relations/pointers/walk-pointers.ts'
import { compareText } from '../../model/keys/compare-scalars.ts'
import type { Body, Json } from '../../model/json/json.ts'
import { few, placeOf, type Finding } from './finding.ts'

/** How what a field keeps differs from the truth; undefined where it does not. */
export function driftOf(field: Field, holder: DocumentType, id: string, kept: Json | undefined, truth: Json | undefined): Finding | undefined {
  if (field.leaf) return countFinding(field, holder, id, kept, truth)
  const drift = differencesIn(field, entriesOf(kept), entriesOf(truth))
  return drift === undefined ? undefined
    : { kind: 'drifted', at: field.coordinate, id, sentence: `${placeOf(field, holder, id)} ${drift}`, repair: 'possible' }
}

/** A number that is missing is read as 0, so it is wrong only where there is something to count. */
export function countFinding(field: Field, holder: DocumentType, id: string, kept: Json | undefined, truth: Json | undefined): Finding | undefined {
  if (typeof truth !== 'number' || (kept ?? 0) === truth) return undefined
  const says = kept === undefined || kept === null ? 'nothing' : JSON.stringify(kept)
  const sentence = `${placeOf(field, holder, id)} says ${says}, and it is ${truth}. Repair writes ${truth}.`
  return { kind: 'miscounted', at: field.coordinate, id, sentence, repair: 'possible' }
}

/** In which order the entries come is nobody's truth. */
function differencesIn(field: Field, kept: readonly Json[], truth: readonly Json[]): string | undefined {
  const surplus = without(kept, truth)
  const lacking = without(truth, kept)
  if (surplus.length === 0 && lacking.length === 0) return undefined
  const originals = new Map(lacking.map((entry) => [idOf(entry), entry]))
  const copies = new Set(surplus.map(idOf))
  const stale = surplus.filter((entry) => originals.has(idOf(entry)))
  const wrong = surplus.filter((entry) => !originals.has(idOf(entry)))
  const missing = lacking.filter((entry) => !copies.has(idOf(entry)))
  const differing = stale.map((entry) => `${field.target} ${idOf(entry)} in ${namesOf(entry, originals.get(idOf(entry))!).join(' and ')}`)
  const parts = [
    ...(differing.length > 0 ? [`differs from ${few(differing)}`] : []),
    ...(wrong.length > 0 ? [`lists ${few(wrong.map(idOf))} wrongly`] : []),
    ...(missing.length > 0 ? [`lacks ${few(missing.map(idOf))}`] : []),
  ]
  return `${parts.join(' and ')}. ${wrong.length + missing.length > 0 ? 'Repair lists what points here.' : 'Repair writes it anew.'}`
}

/** The entries of one list that the other does not have, or not as often. */
function without(entries: readonly Json[], others: readonly Json[]): Json[] {
  const left = Map.groupBy(others.map(textOf), String)
  return entries.filter((entry) => left.get(textOf(entry))?.pop() === undefined)
}

/** The properties in which two entries with the same id differ; nothing but ids can still differ in being text or a number. */
function namesOf(entry: Json, original: Json): string[] {
  const [one, other] = [entry, original].map((each) => (typeof each === 'object' && each !== null ? each : {}) as Body)
  const names = [...new Set([...Object.keys(other!), ...Object.keys(one!)])].filter((name) => name !== '_v' && name !== 'id' && textOf(one![name]) !== textOf(other![name]))
  return names.length > 0 ? names : ['form']
}

/** Equal for what readers cannot tell apart: the order of properties, null and nothing, and versions do not count. */
function textOf(value: Json | undefined): string {
  return JSON.stringify(value ?? null, (_, inner: Json) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    const told = Object.entries(inner).filter(([name, each]) => name !== '_v' && each !== null)
    return Object.fromEntries(told.toSorted(([a], [b]) => compareText(a, b)))
  })
}

function entriesOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? (value as readonly Json[]) : [value]
}
