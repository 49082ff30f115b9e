// One list, in its document and its parts, held against what is declared of it. What is wrong is said,
// and what would have to be written to mend it; nothing is written here.

import { keyText } from '../../model/keys/key.ts'
import type { DocumentType, Field, Model } from '../../model/model.ts'
import { kindOf } from '../../relations/index.ts'
import type { Audit } from '../../relations/kind.ts'
import type { View } from '../../relations/maintenance.ts'
import type { Trail } from '../../relations/pointers/walk-pointers.ts'
import type { Supports, Write } from '../../store/store.ts'
import { danglingFinding, danglingIn, released } from './dangling.ts'
import type { Finding } from './finding.ts'
import { nextVersion, oversized } from './inspect-document.ts'
import type { List } from './lists.ts'

export interface ListInspection {
  readonly list: List
  readonly findings: readonly Finding[]
  /** All of them or none; empty where nothing can be mended. */
  readonly writes: readonly Write[]
}

export interface InspectedList {
  readonly model: Model
  readonly owner: DocumentType
  readonly field: Field
  readonly part: DocumentType
  /** The ways to the pointers in a part. */
  readonly trails: readonly Trail[]
  readonly supports: Supports
}

export async function inspectList({ model, owner, field, part, trails, supports }: InspectedList, list: List, view: View): Promise<ListInspection> {
  const ownerId = String(list.ownerId)
  // What nobody owns is not worth looking into.
  const parts = list.owner ? list.parts : []
  const dangling = await Promise.all(parts.map(({ body }) => danglingIn(model, body, trails, view)))
  const mended = list.parts.map(({ key, body }, index) => ({ key, body: released(part, body, dangling[index] ?? []) }))
  const audit = kindOf(field).audit!(field, list.owner?.body, mended, model)
  const findings = [
    ...parts.flatMap(({ key: { id } }, index) => dangling[index]!.map((each) => danglingFinding(part, id, each))),
    ...audit.wrong.map(({ kind, at, what }): Finding => ({ kind, at, id: ownerId, sentence: `${at} of ${ownerId} ${what}`, repair: 'possible' })),
    ...parts.flatMap((each) => oversized(part, each, supports)),
  ]
  const repairable = findings.some(({ repair }) => repair === 'possible')
  return { list, findings, writes: repairable ? repairs(owner, list, audit) : [] }
}

/** The owner is written whatever has changed: if the list grows meanwhile, that shows there. */
function repairs({ container }: DocumentType, { owner, parts }: List, audit: Audit): Write[] {
  const found = new Map(parts.map((part) => [keyText(part.key), part]))
  const kept = new Set(audit.parts.map(({ key }) => keyText(key)))
  const ownerWrites: Write[] = owner && audit.owner ? [{ kind: 'put', container, key: owner.key, body: nextVersion(audit.owner), only: { ifMatch: owner.etag } }] : []
  const puts = audit.parts.flatMap(({ key, body }): Write[] => {
    const before = found.get(keyText(key))
    if (before && JSON.stringify(before.body) === JSON.stringify(body)) return []
    return [{ kind: 'put', container, key, body, only: before ? { ifMatch: before.etag } : 'if-absent' }]
  })
  const deletions = parts.filter(({ key }) => !kept.has(keyText(key))).map(({ key, etag }): Write => ({ kind: 'delete', container, key, only: { ifMatch: etag } }))
  return [...ownerWrites, ...puts, ...deletions]
}
