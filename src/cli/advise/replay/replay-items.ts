// The requests of a replay: each recorded operation and each recorded change, several times on different documents,
// in the recorded proportions.

import type { GraphQLSchema } from 'graphql'
import type { Declaration } from '../../../relations/declaration.ts'
import type { DocumentType } from '../../../model/model.ts'
import { allRecordedNodes, type RecordedOperation, type Workload } from '../../../observe/workload/workload.ts'
import { updateInput, createInput } from './synthetic-input.ts'
import { operationText } from './operation-text.ts'
import type { Sample, Sampled } from '../sample/sample.ts'

/** One recorded operation or change, and the requests that stand for it. */
export interface ReplayItem {
  /** How often it was recorded. */
  readonly times: number
  readonly runs: readonly Run[]
}

export interface Run {
  /** Sent first and not counted: it creates the document to delete. */
  readonly before?: Sendable
  readonly sent: Sendable
  /** The updated document, if this is an update. */
  readonly updates?: { readonly type: string; readonly id: string; readonly changed: readonly string[] }
}

export interface Sendable {
  readonly query: string
  readonly variables?: object
}

/** Enough requests: costs hardly differ between documents, and writing one with many snapshots takes long. */
const maxRuns = { reads: 100, writes: 24 }

export interface ItemOptions {
  readonly workload: Workload
  readonly declaration: Declaration
  readonly schema: GraphQLSchema
  readonly sample: Sample
}

export interface Items {
  readonly items: readonly ReplayItem[]
  /** Descriptions of the changes that cannot be replayed. */
  readonly leftOut: readonly string[]
}

export function replayItems(options: ItemOptions): Items {
  const { operations } = options.workload
  const all = operations.reduce((sum, { times }) => sum + times, 0)
  const reads = operations.flatMap((operation) => readItem(operation, share(operation.times, all, maxRuns.reads), options))
  const leftOut: string[] = []
  const changes = changesIn(options)
  const written = changes.reduce((sum, { times }) => sum + times, 0)
  const writes = changes.flatMap((change) => {
    const runs = change.runs(share(change.times, written, maxRuns.writes))
    if (runs.length === 0) leftOut.push(change.description)
    return runs.length > 0 ? [{ times: change.times, runs }] : []
  })
  return { items: [...reads, ...writes], leftOut }
}

function share(times: number, all: number, max: number): number {
  return Math.max(1, Math.min(Math.round(times), Math.round((max * times) / all)))
}

function readItem(operation: RecordedOperation, runs: number, { schema, declaration, sample }: ItemOptions): ReplayItem[] {
  const texts = upTo(runs).flatMap((run) => operationText(operation, { schema, declaration, documentOf: (type) => sampledFor(sample, type, run, runs)?.body }) ?? [])
  return texts.length > 0 && allRecordedNodes(operation.places).length > 0 ? [{ times: operation.times, runs: texts.map((query) => ({ sent: { query } })) }] : []
}

interface Change {
  readonly times: number
  readonly description: string
  readonly runs: (count: number) => Run[]
}

function changesIn({ workload, declaration: { model }, schema, sample }: ItemOptions): Change[] {
  let turn = 0
  return Object.entries(workload.types).flatMap(([name, { created, deleted, updated }]): Change[] => {
    const type = model.documents.get(name)!
    const each = (count: number, runOf: (document: Sampled, turn: number) => Run | undefined): Run[] => upTo(count).flatMap((run) => {
      const document = sampledFor(sample, type, run, count)
      const made = document && runOf(document, turn++)
      return made ? [made] : []
    })
    const create = ({ key, body }: Sampled, number: number) => sendable(type, 'create', { ...createInput(model, type, body), id: newIdFrom(key.id, number) })
    const change = (changed: readonly string[]) => ({ key: { id }, body }: Sampled, number: number): Run | undefined => {
      const input = updateInput(type, body, changed, { schema, model, turn: number, idsOf: (target) => (sample.documents.get(target) ?? []).map(({ key }) => key.id) })
      if (changed.length > 0 && Object.keys(input).length === 0) return undefined
      return { sent: sendable(type, 'update', { ...input, id }), updates: { type: name, id, changed } }
    }
    const all: Change[] = [
      ...Object.entries(updated).map(([changed, times]) => ({ times, description: `updates of ${name} (${changed || 'nothing'})`, runs: (count: number) => each(count, change(changed === '' ? [] : changed.split(','))) })),
      { times: created, description: `creating ${name}`, runs: (count) => each(count, (document, number) => ({ sent: create(document, number) })) },
      { times: deleted, description: `deleting ${name}`, runs: (count) => each(count, (document, number) => ({ before: create(document, number), sent: sendable(type, 'delete', { id: newIdFrom(document.key.id, number) }) })) },
    ]
    return all.filter(({ times }) => times > 0)
  })
}

function sendable({ name }: DocumentType, verb: 'create' | 'update' | 'delete', input: object): Sendable {
  const capital = verb.charAt(0).toUpperCase() + verb.slice(1)
  return { query: `mutation ($input: ${capital}${name}Input!) { ${verb}${name}(input: $input) { clientMutationId } }`, variables: { input } }
}

/** A new id of about the same length; a number if ids are numbers. */
function newIdFrom(id: string, number: number): string {
  return /^\d+$/.test(id) ? String(9_000_000_000 + number) : `${id}-${number}`
}

/** Documents spread evenly over the sample. */
function sampledFor(sample: Sample, { name }: DocumentType, run: number, runs: number): Sampled | undefined {
  const all = sample.documents.get(name) ?? []
  return all[Math.floor(((run + 0.5) * all.length) / runs)]
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
