// Imports exported documents. A line is the whole document, so no mapping is needed and nothing is lost; only the versions are
// new. References are not looked up, because their targets may come later in the same import.

import { keyText, samePartition, type Key } from '../../../model/keys/key.ts'
import { partitionFrom, partitionsFrom } from '../../../model/keys/partition.ts'
import { sameJson } from '../../../model/json/same-json.ts'
import type { Body } from '../../../model/json/json.ts'
import type { DocumentType } from '../../../model/model.ts'
import type { Entry } from '../../../relations/maintenance.ts'
import { isOfType } from '../../../read/selection.ts'
import { readAll } from '../../../store/read-all.ts'
import type { Changeset } from '../../../write/changeset.ts'
import { checkId } from '../../../write/input/check-input.ts'
import { nextVersions } from '../../../write/snapshot-versions.ts'
import { createValueCheck, type ValueCheck } from '../../check/invalid-values.ts'
import { exportedBody } from '../../export/exported-body.ts'
import { writeBatch } from '../import-batch.ts'
import { batchSize, checkSize, reasonOf, type Importing } from '../import-run.ts'
import type { WholeRows } from '../mapping/mapping.ts'
import { RowError } from '../row-input.ts'
import { rowsOf, type Row } from '../rows/rows.ts'

interface WholeDocument {
  readonly row: number
  readonly key: Key
  readonly body: Body
}

/** A batch ends there, too, because documents can be large. */
const maxBatchLength = 8 * 1024 * 1024

export async function importExported(importing: Importing, from: WholeRows): Promise<void> {
  const fits = createValueCheck(importing.declaration)
  let [batch, length, rows]: [WholeDocument[], number, number] = [[], 0, 0]
  const flush = async (): Promise<void> => {
    await writeDocuments(importing, from, batch)
    await importing.advance(rows);
    [batch, length, rows] = [[], 0, 0]
  }
  for await (const some of rowsOf(from.file)) {
    for (const row of some) {
      rows++
      length += row.length ?? 0
      try {
        batch.push(documentOf(importing, from, row, fits))
      } catch (error) {
        importing.reject(from.file, row.number, reasonOf(error))
      }
      if (batch.length >= batchSize || length >= maxBatchLength) await flush()
    }
  }
  await flush()
}

/** Throws a RowError for a line that is no document of the type. */
function documentOf(importing: Importing, { type, owner }: WholeRows, row: Row, fits: ValueCheck): WholeDocument {
  if (row.problem !== undefined || row.object === undefined) throw new RowError(row.problem ?? 'is not a JSON object')
  const body = exportedBody(type, row.object)
  const { id } = body
  if (typeof id !== 'string') throw new RowError('has no id, which must be a text')
  checkId(type, id)
  if (!isOfType(type, body)) throw new RowError(`type is ${JSON.stringify(body['type'])}, and that of ${type.name} is ${JSON.stringify(type.discriminator)}`)
  const partition = storedPartition(type, body)
  if (!partition) throw new RowError('lacks a property of the partition key, or has one that its other properties do not give')
  const key = { partition, id }
  const [misfit] = fits(type, { key, body, etag: '', bytes: 0 })
  if (misfit) throw new RowError(misfit.sentence.replace(/\.$/, ''))
  // A line that was edited may have a count that its list does not.
  const settled = owner ? body : importing.effects.settle(type, body)
  checkSize(importing.store, settled)
  return { row: row.number, key, body: settled }
}

/** Where chance chose the partition, the document says which it was. */
function storedPartition(type: DocumentType, body: Body): Key['partition'] | undefined {
  const { partitionKey } = type
  if (partitionKey.form !== 'synthetic') return partitionFrom(type, body)
  const stored = body[partitionKey.at]
  return partitionsFrom(type, body)?.find(([text]) => text === stored)
}

async function writeDocuments(importing: Importing, { file, type, owner }: WholeRows, batch: readonly WholeDocument[]): Promise<void> {
  const { totals } = importing
  await writeBatch(importing, batch, ({ row }, reason) => importing.reject(file, row, reason), async (some, changes) => {
    const found = owner ? await bucketsAt(importing, type, some, changes) : await changes.read(some.map(({ key: { id } }) => ({ type, id })))
    const owners = owner ? await changes.read(some.map(({ key }) => ({ type: owner, id: String(key.partition[0]) }))) : []
    const rejected: { row: number; reason: string }[] = []
    const seen = { created: 0, changed: 0, unchanged: 0 }
    for (const [index, { row, key, body }] of some.entries()) {
      const before = found[index]
      if (before?.after && !samePartition(before.key.partition, key.partition)) rejected.push({ row, reason: `${type.name} ${key.id} is stored in another partition. Delete it first` })
      else if (before?.after && sameJson(exportedBody(type, before.after), body)) seen.unchanged++
      else {
        changes.set(owner ? { ...before!, after: body } : withVersions(importing, type, key, body, before))
        seen[before?.after ? 'changed' : 'created']++
        // A changed bucket always changes its owner's etag: that is how readers of both know that they belong together.
        if (owner && owners[index]?.after) changes.put(owner, owners[index].after, changes.pending(owners[index]) ?? owners[index])
      }
    }
    return () => {
      for (const how of ['created', 'changed', 'unchanged'] as const) totals[how] += seen[how]
      for (const { row, reason } of rejected) importing.reject(file, row, reason)
    }
  })
}

function withVersions({ effects }: Importing, type: DocumentType, key: Key, body: Body, before: Entry | undefined): Entry {
  const after = { ...body, ...nextVersions(before?.before, body, (each) => effects.copiedText(type, each)) }
  return { ...(before ?? { container: type.container, key, type, etag: undefined, before: undefined }), after }
}

/** Buckets have no versions, and are found by key alone. */
async function bucketsAt({ store, dryRun }: Importing, type: DocumentType, some: readonly WholeDocument[], changes: Changeset): Promise<Entry[]> {
  const { container } = type
  const stored = await readAll(store, container, some.map(({ key }) => key))
  const byKey = new Map(stored.flatMap((document) => (document ? [[keyText(document.key), document]] : [])))
  return some.map(({ key }) => {
    const document = byKey.get(keyText(key))
    const pending = dryRun ? changes.pending({ container, key }) : undefined
    return pending ?? { container, key, type: undefined, etag: document?.etag, before: document?.body, after: document?.body }
  })
}
