// Parses the queries that this server speaks: documents, a count, or counts by group; and the forms that
// its own query plans give them. Anything else is refused with the place where it went astray.

import { isObject } from '../../model/json/json.ts'
import { Refusal } from '../http-messages.ts'
import { parseCondition, parseLoop } from './parse-condition.ts'
import { parseSelection } from './parse-selection.ts'
import { parseRef, parseValue, type Source } from './parse-values.ts'
import type { DistinctJoin, Json, OrderItem, Query, Ref } from './syntax.ts'
import { Tokens } from './tokens.ts'

const longestText = 512 * 1024

export interface ParsedQuery extends Query {
  readonly listed: number
}

/** Parses a query's JSON body: { query, parameters: [{ name, value }] }. */
export function parseQuery(body: unknown): ParsedQuery {
  if (!isObject(body) || typeof body['query'] !== 'string') throw new Refusal(400, 'The request body holds no query.')
  if (Buffer.byteLength(body['query']) > longestText) throw new Refusal(400, 'The query is longer than 512 KB.')
  const source: Source = { tokens: new Tokens(body['query']), parameters: parametersOf(body['parameters']), listed: 0 }
  const query = parseSelect(source)
  if (source.tokens.next.kind !== 'end') source.tokens.fail('the end of the query')
  return { ...query, listed: source.listed }
}

function parseSelect(source: Source): Query {
  const { tokens } = source
  tokens.expect('SELECT')
  const top = tokens.accept('TOP') ? parseCount(source, 'TOP') : undefined
  const selected = tokens.next.start
  const selection = parseSelection(source)
  const select = tokens.text.slice(selected, tokens.end)
  tokens.expect('FROM')
  const from = tokens.next.start
  const root = tokens.word()
  const join = (selection.kind === 'groups' || selection.kind === 'columns') && tokens.accept('JOIN') ? parseJoin(source) : undefined
  const fromText = tokens.text.slice(from, tokens.end)
  let whereText = 'true'
  let where
  if (tokens.accept('WHERE')) {
    const { start } = tokens.next
    where = parseCondition(source)
    whereText = tokens.text.slice(start, tokens.end)
  }
  if (selection.kind === 'groups') checkGroups(source, [selection.by])
  if (selection.kind === 'columns') checkGroups(source, selection.columns.flatMap((column) => (column.kind === 'key' ? [column.ref] : [])))
  const orderBy = selection.kind === 'documents' && tokens.accept('ORDER') ? parseOrder(source) : []
  if (selection.kind === 'documents' && selection.rewritten && orderBy.length === 0) tokens.fail("'ORDER'")
  const slice = selection.kind === 'documents' && tokens.accept('OFFSET') ? parseSlice(source) : undefined
  return { selection, top, slice, root, join, where, orderBy, text: { select, from: fromText, where: whereText } }
}

function parseSlice(source: Source): { offset: number; limit: number } {
  const offset = parseCount(source, 'OFFSET')
  source.tokens.expect('LIMIT')
  return { offset, limit: parseCount(source, 'LIMIT') }
}

function parseCount(source: Source, word: string): number {
  const count = parseValue(source)
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) throw new Refusal(400, `${word} needs a whole number.`)
  return count
}

function parseJoin(source: Source): DistinctJoin {
  const { tokens } = source
  const alias = tokens.word()
  tokens.expect('IN', '(', 'SELECT', 'DISTINCT', 'VALUE')
  const value = parseRef(source)
  tokens.expect('FROM')
  const loops = [parseLoop(source)]
  while (tokens.accept('JOIN')) loops.push(parseLoop(source))
  tokens.expect(')')
  return { alias, value, loops }
}

function checkGroups(source: Source, keys: readonly Ref[]): void {
  if (keys.length === 0) return
  source.tokens.expect('GROUP', 'BY')
  const groups = [parseRef(source)]
  while (source.tokens.accept(',')) groups.push(parseRef(source))
  for (const by of keys) {
    if (groups.some((group) => group.alias === by.alias && group.steps.join('\0') === by.steps.join('\0'))) continue
    throw new Refusal(400, `Property reference '${by.text}' is invalid in the select list because it is not in the GROUP BY clause.`)
  }
}

function parseOrder(source: Source): OrderItem[] {
  const { tokens } = source
  tokens.expect('BY')
  const items: OrderItem[] = []
  do {
    const ref = parseRef(source)
    const descending = tokens.accept('DESC')
    if (!descending) tokens.accept('ASC')
    items.push({ ref, descending })
  } while (tokens.accept(','))
  return items
}

function parametersOf(list: unknown): ReadonlyMap<string, Json> {
  const parameters = new Map<string, Json>()
  for (const each of Array.isArray(list) ? list : []) {
    if (isObject(each) && typeof each['name'] === 'string') parameters.set(each['name'], each['value'] as Json)
  }
  return parameters
}
