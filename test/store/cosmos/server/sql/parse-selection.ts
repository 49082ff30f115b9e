// Parses what a query selects, between SELECT and FROM; the forms that query plans rewrite it to as well.

import { isAggregate, parseColumns } from './parse-aggregates.ts'
import { parseRef, parseValue, type Source } from './parse-values.ts'
import type { Selection } from './syntax.ts'

export function parseSelection(source: Source): Selection {
  const { tokens } = source
  if (tokens.accept('*')) return { kind: 'documents', rewritten: false }
  if (tokens.accept('VALUE')) {
    const rewritten = tokens.accept('[')
    if (rewritten) parseItem(source, () => parseCount(source))
    else parseCount(source)
    if (rewritten) tokens.expect(']')
    return { kind: 'count', rewritten }
  }
  if (tokens.is('[')) return parseRewrittenGroups(source)
  if (!isAggregate(source) && tokens.is('_RID', 2) && tokens.is(',', 3)) {
    parseRef(source)
    tokens.expect(',')
    return parseRewrittenOrder(source)
  }
  const columns = parseColumns(source)
  const [key, count, ...others] = columns
  const isCount = count?.kind === 'aggregate' && count.of === 'COUNT' && count.argument.kind === 'value' && count.argument.value === 1
  if (key?.kind === 'key' && isCount && others.length === 0) return { kind: 'groups', rewritten: false, by: key.ref, found: key.name, many: count.name }
  return { kind: 'columns', rewritten: false, columns }
}

/** c._rid, [{"item": c["a"]}] AS orderByItems, c AS payload */
function parseRewrittenOrder(source: Source): Selection {
  const { tokens } = source
  tokens.expect('[')
  do parseItem(source, () => parseRef(source))
  while (tokens.accept(','))
  tokens.expect(']', 'AS', 'ORDERBYITEMS', ',')
  parseRef(source)
  tokens.expect('AS', 'PAYLOAD')
  return { kind: 'documents', rewritten: true }
}

/** [{"item": c["a"]}] AS groupByItems, {"found": c["a"], "many": {"item": COUNT(1)}} AS payload */
function parseRewrittenGroups(source: Source): Selection {
  const { tokens } = source
  tokens.expect('[')
  const by = parseItem(source, () => parseRef(source))
  tokens.expect(']', 'AS', 'GROUPBYITEMS', ',', '{')
  const found = parseName(source)
  parseRef(source)
  tokens.expect(',')
  const many = parseName(source)
  parseItem(source, () => parseCount(source))
  tokens.expect('}', 'AS', 'PAYLOAD')
  return { kind: 'groups', rewritten: true, by, found, many }
}

/** {"item": …} */
function parseItem<T>(source: Source, parse: () => T): T {
  source.tokens.expect('{')
  parseName(source)
  const item = parse()
  source.tokens.expect('}')
  return item
}

/** "name": */
function parseName(source: Source): string {
  const name = parseValue(source)
  if (typeof name !== 'string') source.tokens.fail('a name')
  source.tokens.expect(':')
  return name
}

function parseCount({ tokens }: Source): void {
  tokens.expect('COUNT', '(')
  if (tokens.take().text !== '1') tokens.fail('1')
  tokens.expect(')')
}
