// What is sent to replay a workload: each recorded operation and each recorded change, several times over
// different documents, in the proportions in which they were recorded.

import type { GraphQLSchema } from 'graphql'
import type { Declaration } from '../../../relations/declaration.ts'
import type { DocumentType } from '../../../model/model.ts'
import { allPlaces, type RecordedOperation, type Workload } from '../../../observe/workload/workload.ts'
import { changeOf, inputOf } from './made-up-input.ts'
import { operationText } from './operation-text.ts'
import type { Sample, Sampled } from '../sample/sample.ts'

/** One operation or change, and what is sent for it each time it is run. */
export interface ReplayItem {
  /** How often it was recorded. */
  readonly times: number
  readonly runs: readonly Run[]
}

export interface Run {
  /** Sent first, and not counted: what has to be there. */
  readonly before?: Sendable
  readonly sent: Sendable
  /** What is updated, where something is. */
  readonly updates?: { readonly type: string; readonly id: string; readonly changed: readonly string[] }
}

export interface Sendable {
  readonly query: string
  readonly variables?: object
}

/** How often is enough: costs hardly differ from document to document, and one that is copied everywhere is dear to write. */
const mostRuns = { reads: 100, writes: 24 }

export interface ItemOptions {
  readonly workload: Workload
  readonly declaration: Declaration
  readonly schema: GraphQLSchema
  readonly sample: Sample
}

export interface Items {
  readonly items: readonly ReplayItem[]
  /** What cannot be replayed, in words. */
  readonly leftOut: readonly string[]
}

export function replayItems(options: ItemOptions): Items {
  const { operations } = options.workload
  const all = operations.reduce((sum, { times }) => sum + times, 0)
  const reads = operations.flatMap((operation) => readItem(operation, share(operation.times, all, mostRuns.reads), options))
  const leftOut: string[] = []
  const changes = changesIn(options)
  const written = changes.reduce((sum, { times }) => sum + times, 0)
  const writes = changes.flatMap((change) => {
    const runs = change.runs(share(change.times, written, mostRuns.writes))
    if (runs.length === 0) leftOut.push(change.words)
    return runs.length > 0 ? [{ times: change.times, runs }] : []
  })
  return { items: [...reads, ...writes], leftOut }
}

function share(times: number, all: number, most: number): number {
  return Math.max(1, Math.min(Math.round(times), Math.round((most * times) / all)))
}

function readItem(operation: RecordedOperation, runs: number, { schema, declaration, sample }: ItemOptions): ReplayItem[] {
  const texts = upTo(runs).flatMap((run) => operationText(operation, { schema, declaration, documentOf: (type) => spread(sample, type, run, runs)?.body }) ?? [])
  return texts.length > 0 && allPlaces(operation.places).length > 0 ? [{ times: operation.times, runs: texts.map((query) => ({ sent: { query } })) }] : []
}

interface Change {
  readonly times: number
  readonly words: string
  readonly runs: (count: number) => Run[]
}

function changesIn({ workload, declaration: { model }, schema, sample }: ItemOptions): Change[] {
  let turn = 0
  return Object.entries(workload.types).flatMap(([name, { created, deleted, updated }]): Change[] => {
    const type = model.documents.get(name)!
    const each = (count: number, runOf: (document: Sampled, turn: number) => Run | undefined): Run[] => upTo(count).flatMap((run) => {
      const document = spread(sample, type, run, count)
      const made = document && runOf(document, turn++)
      return made ? [made] : []
    })
    const create = ({ key, body }: Sampled, number: number) => sendable(type, 'create', { ...inputOf(model, type, body), id: twinOf(key.id, number) })
    const change = (changed: readonly string[]) => ({ key: { id }, body }: Sampled, number: number): Run | undefined => {
      const input = changeOf(type, body, changed, { schema, model, turn: number, idsOf: (target) => (sample.documents.get(target) ?? []).map(({ key }) => key.id) })
      if (changed.length > 0 && Object.keys(input).length === 0) return undefined
      return { sent: sendable(type, 'update', { ...input, id }), updates: { type: name, id, changed } }
    }
    const all: Change[] = [
      ...Object.entries(updated).map(([changed, times]) => ({ times, words: `updates of ${name} (${changed || 'nothing'})`, runs: (count: number) => each(count, change(changed === '' ? [] : changed.split(','))) })),
      { times: created, words: `creating ${name}`, runs: (count) => each(count, (document, number) => ({ sent: create(document, number) })) },
      { times: deleted, words: `deleting ${name}`, runs: (count) => each(count, (document, number) => ({ before: create(document, number), sent: sendable(type, 'delete', { id: twinOf(document.key.id, number) }) })) },
    ]
    return all.filter(({ times }) => times > 0)
  })
}

function sendable({ name }: DocumentType, verb: 'create' | 'update' | 'delete', input: object): Sendable {
  const capital = verb.charAt(0).toUpperCase() + verb.slice(1)
  return { query: `mutation ($input: ${capital}${name}Input!) { ${verb}${name}(input: $input) { clientMutationId } }`, variables: { input } }
}

/** As long as the id it is made from, as far as that goes; where ids are numbers it is one. */
function twinOf(id: string, number: number): string {
  return /^\d+$/.test(id) ? String(9_000_000_000 + number) : `${id}-${number}`
}

/** Documents from all over the sample. */
function spread(sample: Sample, { name }: DocumentType, run: number, runs: number): Sampled | undefined {
  const all = sample.documents.get(name) ?? []
  return all[Math.floor(((run + 0.5) * all.length) / runs)]
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
