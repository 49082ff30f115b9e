// One document held against everything that is true of it: what it points at, what it keeps of
// others, what it counts, and how large it is. What is wrong is said, and mended in a copy of the
// body; nothing is written here.

import type { Declaration } from '../../relations/declaration.ts'
import { partitionProperties, type DocumentType, type Field } from '../../model/model.ts'
import { kindOf } from '../../relations/index.ts'
import type { View } from '../../relations/maintenance.ts'
import type { Trail } from '../../relations/pointers/walk-pointers.ts'
import type { Body, Json } from '../../model/json/json.ts'
import { StoreUnavailableError, type StoredDocument, type Supports } from '../../store/store.ts'
import { danglingFinding, danglingIn, released } from './dangling.ts'
import { countFinding, driftOf } from './drift.ts'
import { placeOf, type Finding } from './finding.ts'
import { truthOf } from './truth.ts'

export interface Inspection {
  readonly document: StoredDocument
  readonly findings: readonly Finding[]
  /** The body to write, with everything mended that can be; undefined where nothing can. */
  readonly mended: Body | undefined
}

export interface Inspected {
  readonly declaration: Declaration
  readonly type: DocumentType
  readonly trails: readonly Trail[]
  readonly supports: Supports
}

export async function inspectDocument(inspected: Inspected, document: StoredDocument, view: View): Promise<Inspection> {
  const { declaration: { model }, type, trails, supports } = inspected
  const { body, key: { id } } = document
  const dangling = await danglingIn(model, body, trails, view)
  // What points at nothing can have any shape, so it goes before the rest is judged.
  const sound = released(type, body, dangling)
  const drifted = await driftIn(inspected, id, sound, view)
  const mended = settled(inspected, { ...sound, ...Object.fromEntries(drifted.flatMap(({ at, truth }) => (truth === undefined ? [] : [[at, truth]]))) })
  const findings = [
    ...dangling.map((each) => danglingFinding(type, id, each)),
    ...drifted.map(({ finding }) => finding),
    ...miscounted(inspected, document, mended),
  ]
  const next = findings.some(({ repair }) => repair === 'possible') ? nextVersion(mended) : undefined
  const fits = next === undefined || Buffer.byteLength(JSON.stringify(next)) <= supports.documentBytes
  return {
    document,
    findings: [...(fits ? findings : findings.map(asTooLarge)), ...oversized(type, document, supports)],
    mended: fits ? next : undefined,
  }
}

/** The version grows with every write, so that of two copies the newer one can be told. */
export function nextVersion(body: Body): Body {
  const next = ((body['_v'] as number | undefined) ?? 0) + 1
  return { ...body, _v: next, ...(body['_c'] === undefined ? {} : { _c: next }) }
}

/** A document that is nearly as large as a store keeps: the next write to it may be refused. */
export function oversized(type: DocumentType, { key: { id }, bytes }: StoredDocument, { documentBytes }: Supports): Finding[] {
  if (bytes <= 0.8 * documentBytes) return []
  const percent = Math.floor((bytes / documentBytes) * 100)
  const sentence = `${type.name} ${id} is at ${percent} % of the ${documentBytes} bytes that a document can have. Repair leaves it: move what grows out of it.`
  return [{ kind: 'oversized', at: type.name, id, sentence, repair: 'impossible' }]
}

interface Drift {
  readonly at: string
  /** Undefined where it cannot be worked out. */
  readonly truth: Json | undefined
  readonly finding: Finding
}

async function driftIn({ declaration: { tools }, type }: Inspected, id: string, body: Body, view: View): Promise<Drift[]> {
  // What decides the partition cannot be written otherwise without moving the document.
  const fixed = partitionProperties(type)
  const found = await Promise.all([...type.fields.values()].map(async (field): Promise<Drift[]> => {
    const at = propertyOf(field)
    if (at === undefined || fixed.includes(at)) return []
    try {
      const truth = await truthOf(field, body, view, tools)
      const finding = truth === undefined ? undefined : driftOf(field, type, id, body[at], truth)
      return finding ? [{ at, truth, finding }] : []
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error
      return [{ at, truth: undefined, finding: unworkable(field, type, id, error) }]
    }
  }))
  return found.flat()
}

/** The functions of a schema are written for documents that are as declared, and may fail on others. */
function unworkable(field: Field, type: DocumentType, id: string, error: unknown): Finding {
  const why = error instanceof Error ? error.message : String(error)
  const sentence = `${placeOf(field, type, id)} cannot be worked out: ${why}. Repair leaves it: correct the documents that it is made of.`
  return { kind: 'drifted', at: field.coordinate, id, sentence, repair: 'impossible' }
}

/** Counts that disagree both with what they count and with what that is going to be: the others follow from what is already said. */
function miscounted(inspected: Inspected, { body, key: { id } }: StoredDocument, mended: Body): Finding[] {
  const before = settled(inspected, body)
  return [...inspected.type.fields.values()].flatMap((field) => {
    const at = kindOf(field).settle && propertyOf(field)
    if (at === undefined || (body[at] ?? 0) === before[at]) return []
    return countFinding(field, inspected.type, id, body[at], mended[at]) ?? []
  })
}

function settled({ declaration: { model }, type }: Inspected, body: Body): Body {
  return [...type.fields.values()].reduce((rest, field) => kindOf(field).settle?.(field, rest, model) ?? rest, body)
}

function asTooLarge(finding: Finding): Finding {
  if (finding.repair === 'impossible') return finding
  return { ...finding, sentence: `${finding.sentence} The document would be too large with it, so it stays.`, repair: 'impossible' }
}

function propertyOf({ storage }: Field): string | undefined {
  return 'at' in storage ? storage.at : undefined
}
