// The fields of a level that take more than their row: each is written for all rows at once, and becomes a column of
// texts that the code of the rows puts in.

import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql'
import type { Body } from '../../model/json/json.ts'
import type { ListArguments, PageArguments } from '../../plan/field-arguments.ts'
import type { PlanNode } from '../../plan/plan.ts'
import type { Listing } from '../../read/listing.ts'
import type { Asker } from '../../read/read-log.ts'
import type { Reads } from '../../read/reads.ts'
import type { LookedUpLevel } from '../../relations/kind.ts'
import { allRead, Pending, whenRead, type MaybePending } from '../../store/maybe-promise.ts'
import { AnswerTooLarge, type Growth } from '../answer/answer-too-large.ts'
import { Connection, readConnection, type ConnectionField, type ConnectionOptions } from '../relay-connection.ts'
import { GiveUp, summedWeights, writeAll, type BatchWriter, type ListPlace, type Writer } from './json-writer.ts'
import { flat } from './row-cache.ts'
import { addRows, countAll, renewLookups, type Run, type Weights } from './run.ts'

/** The code of a level: rows and the columns for them become texts. */
export type WriteLevel = (rows: readonly unknown[], run: Run, columns: readonly (readonly string[])[], weights: Weights) => string[]

export function writeLevel(columns: readonly BatchWriter[], write: WriteLevel, growth: Growth): BatchWriter {
  return {
    all(rows, run, weights) {
      return whenRead(allRead(columns.length, (at) => columns[at]!.all(rows, run, weights)), (texts) => {
        const written = write(rows, run, texts, weights)
        for (const text of written) growth.add(text, run)
        return written
      })
    },
  }
}

/** A value that is in the row, with something below it that is not. */
export function writeOwnValue(node: PlanNode, valueOf: (row: unknown) => unknown, below: Writer): BatchWriter {
  return {
    all(rows, run, weights) {
      countAll(run, node, rows.length, weights)
      return writeAll(below, rows.map(valueOf), run, weights)
    },
  }
}

export interface FieldResolver {
  readonly resolve: GraphQLFieldResolver<unknown, unknown>
  readonly argumentsFrom: (variables: Record<string, unknown>) => Record<string, unknown>
  /** What GraphQL.js tells a resolver, except for list indexes in the path: one info is for all rows of a level. */
  readonly info: Omit<GraphQLResolveInfo, 'variableValues'>
}

/** A resolver's values, row by row; they may be promises. */
export function writeResolved(node: PlanNode, { resolve, argumentsFrom, info }: FieldResolver, below: Writer): BatchWriter {
  return {
    all(rows, run, weights) {
      countAll(run, node, rows.length, weights)
      const [args, infoOfRun] = [argumentsFrom(run.variables), { ...info, variableValues: run.variables }]
      const values: unknown[] = rows.map((row) => resolve(row, args, run.context, infoOfRun))
      return whenRead(readyValues(values, run), (answers) => {
        renewLookups(run)
        return writeAll(below, answers.map(withoutErrors), run, weights)
      })
    },
  }
}

/** How the pages of a field are read. */
export interface PagesOf {
  readonly listing: (holder: Body, args: PageArguments & ListArguments, reads: Reads, asker: Asker) => Listing
  readonly argumentsFrom: (variables: Record<string, unknown>) => PageArguments & ListArguments
  readonly asker: Asker
  readonly options: Omit<ConnectionOptions, 'args'>
  readonly selected: readonly ConnectionField[]
}

/** A page of a list of each row. */
export function writePages(node: PlanNode, { listing, argumentsFrom, asker, options, selected }: PagesOf, bodyOf: (row: unknown) => Body, page: Writer): BatchWriter {
  return {
    all(rows, run, weights) {
      countAll(run, node, rows.length, weights)
      const [args, { reads }] = [argumentsFrom(run.variables), run.context.quire]
      const read = allRead(rows.length, (at) => readConnection(new Connection(listing(bodyOf(rows[at]), args, reads, asker), { ...options, args }), selected))
      return whenRead(read, (pages) => {
        renewLookups(run)
        return writeAll(page, pages, run, weights)
      })
    },
  }
}

type LookUpAll = (holders: readonly Body[], reads: Reads) => MaybePending<LookedUpLevel>

/** Documents that rows point at, looked up in one batch. Each is written once, and its text goes wherever a row points at it. */
export function writeDocuments(node: PlanNode, lookUpAll: LookUpAll, bodyOf: (row: unknown) => Body, document: Writer, shape: Shape): BatchWriter {
  return {
    all(rows, run, weights) {
      countAll(run, node, rows.length, weights)
      return whenRead(lookUpAll(rows.map(bodyOf), run.context.quire.reads), (found) => {
        renewLookups(run)
        const { places, lengths } = found
        addRows(run, weights ? lengths.reduce((sum, length, at) => sum + length * weights[at]!, 0) : places.length, node)
        return whenRead(documentTexts(found, document, run, weights), (texts) => {
          let next = 0
          return lengths.map((length) => textOfDocuments(places.slice(next, (next += length)).map((place) => texts[place]), shape))
        })
      })
    },
  }
}

function documentTexts({ documents, distinct, places, lengths }: LookedUpLevel, writer: Writer, run: Run, weights: Weights): MaybePending<DocumentTexts> {
  const present = distinct.filter((place) => documents[place] !== undefined)
  const isShared = places.length > distinct.length
  const shown = isShared || weights ? summedWeights(places, weights && lengths.flatMap((length, at) => Array.from({ length }, () => weights[at]!))) : undefined
  const written = writeAll(writer, present.map((place) => documents[place]), run, shown && present.map((place) => shown[place]!))
  return whenRead(written, (all) => {
    // A text that several rows show is flattened once, and not wherever it is shown.
    const shared = places.length > present.length
    const texts: string[] = []
    for (let at = 0; at < present.length; at++) texts[present[at]!] = shared ? flat(all[at]!) : all[at]!
    return texts
  })
}

/** The texts of the documents that a row points at, in its order; undefined for a missing document. */
export type DocumentTexts = readonly (string | undefined)[]

export interface Shape extends ListPlace {
  readonly list: boolean
  /** Whether the value, or an element of the list, is non-null. */
  readonly required: boolean
}

export function textOfDocuments(texts: DocumentTexts, shape: Shape): string {
  if (shape.list) return textOfList(texts, shape)
  if (texts[0] === undefined && shape.required) throw new GiveUp('The document of a non-null reference is missing.')
  return texts[0] ?? 'null'
}

/** A missing document is left out of a list whose elements are non-null. */
function textOfList(texts: DocumentTexts, { required, node, maxBytes }: Shape): string {
  let list = ''
  for (const each of texts) {
    const text = each ?? (required ? undefined : 'null')
    if (text === undefined) continue
    list += list === '' ? text : `,${text}`
    if (list.length > maxBytes) throw new AnswerTooLarge(node, 'bytes')
  }
  return `[${list}]`
}

/** Values of the schema's own resolvers may be promises; those of Quire's may be pending. */
function readyValues(values: readonly unknown[], run: Run): MaybePending<readonly unknown[]> {
  if (!values.some(isThenable)) return values
  if (!values.every((value) => value instanceof Pending)) run.lookedAt = -1
  return allRead(values.length, (at) => (isThenable(values[at]) && !(values[at] instanceof Pending) ? Promise.resolve(values[at]) : values[at]))
}

function isThenable(value: unknown): boolean {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

/** GraphQL.js accepts errors and promises as values, also inside of lists. */
function withoutErrors(value: unknown): unknown {
  if (Array.isArray(value)) value.forEach(withoutErrors)
  else if (value instanceof Error || value instanceof Promise) throw new GiveUp('A value is an error or a promise.')
  return value
}
