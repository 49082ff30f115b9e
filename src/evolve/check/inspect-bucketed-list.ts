// Inspects one bucketed list, in its document and its buckets. Returns the findings and the writes of a repair, and writes
// nothing.

import { keyText } from '../../model/keys/key.ts'
import type { DocumentType, Field, Model } from '../../model/model.ts'
import { kindOf } from '../../relations/kinds.ts'
import type { Audit } from '../../relations/kind.ts'
import type { View } from '../../relations/maintenance.ts'
import { pointerOf, type Trail } from '../../relations/pointers/walk-pointers.ts'
import type { Supports, Write } from '../../store/store.ts'
import { withNextVersion } from '../../write/snapshot-versions.ts'
import { acceptsLoss, type AcceptLoss } from './repair/accepted-loss.ts'
import { danglingFinding, danglingReferencesIn, withoutDanglingReferences, type DanglingReference } from './dangling-references.ts'
import type { Finding } from './finding.ts'
import type { ValueCheck } from './invalid-values.ts'
import { oversized } from './oversized-documents.ts'
import type { BucketedList } from './bucketed-lists.ts'

export interface ListInspection {
  readonly list: BucketedList
  readonly findings: readonly Finding[]
  /** To be written atomically; empty where nothing can be repaired. */
  readonly writes: readonly Write[]
}

export interface InspectedList {
  readonly model: Model
  readonly owner: DocumentType
  readonly field: Field
  readonly part: DocumentType
  /** The trails to the references in a bucket. */
  readonly trails: readonly Trail[]
  readonly supports: Supports
  readonly acceptLoss: AcceptLoss
  readonly fits: ValueCheck
}

export async function inspectBucketedList({ model, owner, field, part, trails, supports, acceptLoss, fits }: InspectedList, list: BucketedList, view: View): Promise<ListInspection> {
  const ownerId = String(list.ownerId)
  const mayRemove = ({ trail }: DanglingReference): boolean => acceptsLoss(acceptLoss, pointerOf(trail).coordinate)
  // Buckets without an owner are deleted, whatever they reference; but only if that is accepted, as the owner may be found again.
  const parts = list.owner ? list.parts : []
  const keepsOrphans = !list.owner && !acceptsLoss(acceptLoss, field.coordinate)
  const dangling = await Promise.all(parts.map(({ body }) => danglingReferencesIn(model, body, trails, view)))
  const sound = list.parts.map(({ key, body }, index) => ({ key, body: withoutDanglingReferences(part, body, dangling[index] ?? [], mayRemove) }))
  const audit = kindOf(field).audit!(field, list.owner?.body, sound, model)
  const findings = [
    ...parts.flatMap(({ key: { id } }, index) => dangling[index]!.map((each) => danglingFinding(part, id, each, mayRemove(each)))),
    ...audit.wrong.map(({ kind, at, what }): Finding => ({ kind, at, id: ownerId, sentence: `${at} of ${ownerId} ${what}`, repair: keepsOrphans ? 'lossy' : 'possible' })),
    ...parts.flatMap((each) => [...fits(part, each), ...oversized(part, each, supports)]),
  ]
  const repairable = findings.some(({ repair }) => repair === 'possible')
  return { list, findings, writes: repairable ? repairs(owner, list, audit) : [] }
}

/** Always writes the owner too: its etag detects entries that are added meanwhile. */
function repairs({ container }: DocumentType, { owner, parts }: BucketedList, audit: Audit): Write[] {
  const found = new Map(parts.map((part) => [keyText(part.key), part]))
  const kept = new Set(audit.parts.map(({ key }) => keyText(key)))
  const ownerWrites: Write[] = owner && audit.owner ? [{ kind: 'put', container, key: owner.key, body: withNextVersion(audit.owner), only: { ifMatch: owner.etag } }] : []
  const puts = audit.parts.flatMap(({ key, body }): Write[] => {
    const before = found.get(keyText(key))
    if (before && JSON.stringify(before.body) === JSON.stringify(body)) return []
    return [{ kind: 'put', container, key, body, only: before ? { ifMatch: before.etag } : 'if-absent' }]
  })
  const deletions = parts.filter(({ key }) => !kept.has(keyText(key))).map(({ key, etag }): Write => ({ kind: 'delete', container, key, only: { ifMatch: etag } }))
  return [...ownerWrites, ...puts, ...deletions]
}
