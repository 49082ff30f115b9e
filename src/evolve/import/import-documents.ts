// Imports rows as documents, in batches: one wave reads the stored documents, another the referenced ones, and what has
// changed is written.

import { GraphQLError } from 'graphql'
import { badInput } from '../../graphql-errors.ts'
import { partitionText } from '../../model/keys/key.ts'
import { partitionFrom } from '../../model/keys/partition.ts'
import { partitionProperties, type DocumentType } from '../../model/model.ts'
import type { Body } from '../../model/json/json.ts'
import { checkNeededLists, checkPartitionKey, isReservedId, newBody } from '../../write/input/new-document.ts'
import type { Entry } from '../../relations/maintenance.ts'
import { checkId } from '../../write/input/check-input.ts'
import { propertiesOfEach, type Input } from '../../write/input/input.ts'
import { idFrom } from './mapping/id-rule.ts'
import { writeBatch } from './import-batch.ts'
import { batchSize, checkSize, placeText, reasonOf, withoutNulls, type Importing } from './import-run.ts'
import { inputFrom, RowError } from './row-input.ts'
import type { DocumentRows } from './mapping/mapping.ts'
import { idPassesOf, rowsWithout, type IdPass } from './rows/id-passes.ts'
import type { Row } from './rows/rows.ts'

interface Candidate {
  readonly id: string
  readonly row: number
  readonly input: Input
}

export async function importDocuments(importing: Importing, from: DocumentRows): Promise<void> {
  for (const pass of idPassesOf(from.file)) {
    const seen = new Set<string>()
    let batch: Candidate[] = []
    let rows = 0
    const flush = async (): Promise<void> => {
      await writeCandidates(importing, from, batch)
      await importing.advance(pass.first && !from.again ? rows : 0)
      batch = []
      rows = 0
    }
    for await (const read of rowsWithout(from.file, from.skip, from.split)) {
      if (pass.first && !from.again) importing.totals.skipped += read.skipped
      rows += read.skipped
      for (const row of read.rows) {
        if (!row.isFurther) rows++
        const candidate = candidateOf(importing, from, row, pass, seen)
        if (candidate) batch.push(candidate)
        if (batch.length >= batchSize) await flush()
      }
      if (rows >= 20 * batchSize) await flush()
    }
    await flush()
  }
}

/** Undefined for a row that is rejected, repeats an earlier row, or belongs to another pass. */
function candidateOf(importing: Importing, { file, id: rule, type, fields, again = false }: DocumentRows, row: Row, pass: IdPass, seen: Set<string>): Candidate | undefined {
  let id: string | undefined
  try {
    if (row.problem !== undefined) throw new RowError(row.problem)
    id = idFrom(rule, row)
    if (id === undefined) throw new RowError(`${rule.columns.join(' and ')} ${rule.columns.length === 1 ? 'is' : 'are'} empty, but the id is made of it`)
    if (!pass.has(id)) return undefined
    if (seen.has(id)) {
      if (!again) importing.totals.repeated++
      return undefined
    }
    const input = inputFrom(fields, row, importing.enums)
    checkId(type, id)
    checkNotReserved(importing, type, id)
    // After the checks: a rejected row leaves its id to a later row.
    seen.add(id)
    return { id, row: row.number, input }
  } catch (error) {
    // A row without an id is reported in the first pass, any other in the pass of its id.
    if (id !== undefined || pass.first) importing.reject(file, row.number, reasonOf(error))
    return undefined
  }
}

async function writeCandidates(importing: Importing, { type, file, again = false }: DocumentRows, batch: readonly Candidate[]): Promise<void> {
  const { declaration, totals } = importing
  await writeBatch(importing, batch, ({ row }, reason) => importing.reject(file, row, reason), async (some, changes, taken) => {
    const found = await changes.read(some.map(({ id }) => ({ type, id })))
    const properties = await propertiesOfEach(declaration, type, some.map(({ input }) => input), changes)
    const rejected: { row: number; reason: string }[] = []
    const seen = { created: 0, changed: 0, unchanged: 0 }
    for (const [index, { id, row }] of some.entries()) {
      try {
        const given = properties[index]!
        if (given instanceof GraphQLError) throw given
        const before = found[index]
        const body = before?.after ? updated(importing, type, before, given) : created(importing, type, id, given, taken)
        checkSize(importing.store, body)
        if (before?.after && JSON.stringify(body) === JSON.stringify(before.after)) seen.unchanged++
        else {
          changes.put(type, body, before?.after ? before : undefined)
          seen[before?.after ? 'changed' : 'created']++
        }
      } catch (error) {
        rejected.push({ row, reason: reasonOf(error) })
      }
    }
    return () => {
      // The first pass has counted these documents; the second only adds references.
      if (again) totals.followed += seen.changed
      else for (const how of ['created', 'changed', 'unchanged'] as const) totals[how] += seen[how]
      for (const { row, reason } of rejected) importing.reject(file, row, reason)
    }
  })
}

function created({ effects }: Importing, type: DocumentType, id: string, properties: Body, taken: ReadonlySet<string>): Body {
  const body = effects.settle(type, newBody(type, id, withoutNulls(properties)))
  checkPartitionKey(type, body)
  checkNeededLists(type, body)
  const partition = partitionFrom(type, body)
  if (partition && taken.has(placeText(type.container, { partition, id }))) throw new RowError(`the id ${id} is taken by another document in ${type.container}`)
  return body
}

function updated({ effects }: Importing, type: DocumentType, { after, key }: Entry, properties: Body): Body {
  // Nulls are removed, so the document becomes the one that an import into an empty store would make.
  const body = effects.settle(type, withoutNulls({ ...after, ...properties }))
  const partition = partitionFrom(type, body)
  if (partition && partitionText(partition) !== partitionText(key.partition)) {
    throw badInput(`${type.name} ${key.id} cannot move to another partition: ${partitionProperties(type).join(' and ')} cannot change. Delete it first.`)
  }
  return body
}

function checkNotReserved({ declaration: { model } }: Importing, type: DocumentType, id: string): void {
  if (id.includes('.') && isReservedId(model, type, id)) throw new RowError(`the id ${id} is reserved: buckets have ids like it`)
}
