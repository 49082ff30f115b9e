// Inspects one document: its values, references, snapshots, lists and counts, and its size. Returns the findings and the
// repaired body, and writes nothing.

import type { Declaration } from '../../relations/declaration.ts'
import { partitionProperties, type DocumentType, type Field } from '../../model/model.ts'
import { kindOf } from '../../relations/kinds.ts'
import type { View } from '../../relations/maintenance.ts'
import { pointerOf, propertyOf, type Trail } from '../../relations/pointers/walk-pointers.ts'
import type { Body, Json } from '../../model/json/json.ts'
import { StoreUnavailableError } from '../../store/store-errors.ts'
import type { StoredDocument, Supports } from '../../store/store.ts'
import { withNextVersion } from '../../write/snapshot-versions.ts'
import { acceptsLoss, type AcceptLoss } from './repair/accepted-loss.ts'
import { danglingFinding, danglingReferencesIn, withoutDanglingReferences, type DanglingReference } from './dangling-references.ts'
import { expectedValue } from './expected-value.ts'
import { placeOf, type Finding } from './finding.ts'
import type { ValueCheck } from './invalid-values.ts'
import { countFinding, mismatchFinding } from './mismatch.ts'
import { oversized } from './oversized-documents.ts'

export interface Inspection {
  readonly document: StoredDocument
  readonly findings: readonly Finding[]
  /** The body with everything repaired that can be; undefined where nothing can. */
  readonly repaired: Body | undefined
}

export interface Inspected {
  readonly declaration: Declaration
  readonly type: DocumentType
  readonly trails: readonly Trail[]
  readonly supports: Supports
  readonly acceptLoss: AcceptLoss
  readonly fits: ValueCheck
}

export async function inspectDocument(inspected: Inspected, document: StoredDocument, view: View): Promise<Inspection> {
  const { declaration: { model }, type, trails, supports, acceptLoss, fits } = inspected
  const { body, key: { id } } = document
  const dangling = await danglingReferencesIn(model, body, trails, view)
  const mayRemove = ({ trail }: DanglingReference): boolean => acceptsLoss(acceptLoss, pointerOf(trail).coordinate)
  // A dangling reference can have any shape, so the rest is compared without it.
  const mismatches = await mismatchesIn(inspected, id, withoutDanglingReferences(type, body, dangling), view)
  // A property that keeps a dangling reference stays as it is.
  const kept = new Set(dangling.filter((each) => !mayRemove(each)).map(({ trail }) => propertyOf(trail[0]!.field)))
  const written = mismatches.filter(({ at, expected }) => expected !== undefined && !kept.has(at))
  const repaired = settled(inspected, { ...withoutDanglingReferences(type, body, dangling, mayRemove), ...Object.fromEntries(written.map(({ at, expected }) => [at, expected!])) })
  const findings = [
    ...dangling.map((each) => danglingFinding(type, id, each, mayRemove(each))),
    ...mismatches.map(({ at, finding }): Finding => (kept.has(at) && finding.repair === 'possible' ? { ...finding, repair: 'lossy' } : finding)),
    ...miscounted(inspected, document, repaired),
    ...fits(type, document),
  ]
  const next = findings.some(({ repair }) => repair === 'possible') ? withNextVersion(repaired) : undefined
  const fitsStore = next === undefined || Buffer.byteLength(JSON.stringify(next)) <= supports.documentBytes
  return {
    document,
    findings: [...(fitsStore ? findings : findings.map(asTooLarge)), ...oversized(type, document, supports)],
    repaired: fitsStore ? next : undefined,
  }
}

interface Mismatch {
  readonly at: string
  /** Undefined where it cannot be computed. */
  readonly expected: Json | undefined
  readonly finding: Finding
}

async function mismatchesIn({ declaration: { kindContext }, type }: Inspected, id: string, body: Body, view: View): Promise<Mismatch[]> {
  // A property of the partition key cannot change without moving the document.
  const fixed = partitionProperties(type)
  const found = await Promise.all([...type.fields.values()].map(async (field): Promise<Mismatch[]> => {
    const at = storedAt(field)
    if (at === undefined || fixed.includes(at)) return []
    try {
      const expected = await expectedValue(field, body, view, kindContext)
      const finding = expected === undefined ? undefined : mismatchFinding(field, type, id, body[at], expected)
      return finding ? [{ at, expected, finding }] : []
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error
      return [{ at, expected: undefined, finding: failed(field, type, id, error) }]
    }
  }))
  return found.flat()
}

/** A `derive` function expects documents as declared and may fail on others. */
function failed(field: Field, type: DocumentType, id: string, error: unknown): Finding {
  const why = error instanceof Error ? error.message : String(error)
  const sentence = `${placeOf(field, type, id)} cannot be computed: ${why}. Repair cannot fix it: correct the documents that it is derived from.`
  return { kind: 'drifted', at: field.coordinate, id, sentence, repair: 'impossible' }
}

/** Counts of the document's own lists that were wrong before the repair, too. The others follow from findings about the lists. */
function miscounted(inspected: Inspected, { body, key: { id } }: StoredDocument, repaired: Body): Finding[] {
  const before = settled(inspected, body)
  return [...inspected.type.fields.values()].flatMap((field) => {
    const at = kindOf(field).settle && storedAt(field)
    if (at === undefined || (body[at] ?? 0) === (before[at] ?? 0)) return []
    return countFinding(field, inspected.type, id, body[at], repaired[at]) ?? []
  })
}

function settled({ declaration: { model }, type }: Inspected, body: Body): Body {
  return [...type.fields.values()].reduce((rest, field) => kindOf(field).settle?.(field, rest, model) ?? rest, body)
}

function asTooLarge(finding: Finding): Finding {
  if (finding.repair === 'impossible') return finding
  return { ...finding, sentence: `${finding.sentence} This repair is skipped: the document would become too large.`, repair: 'impossible' }
}

function storedAt({ storage }: Field): string | undefined {
  return 'at' in storage ? storage.at : undefined
}
