// Parses what a query selects, between SELECT and FROM; the forms that query plans rewrite it to as well.

import { aggregatesFollow, isAggregate, parseColumns, parseKey } from './parse-aggregates.ts'
import { parseRef, parseValue, type Source } from './parse-values.ts'
import { parseNamedShapes, parseShape } from './parse-shape.ts'
import type { Selection } from './syntax.ts'

export function parseSelection(source: Source): Selection {
  const { tokens } = source
  if (tokens.accept('*')) return { kind: 'documents', rewritten: false }
  if (tokens.accept('DISTINCT')) return { kind: 'documents', rewritten: false, distinct: true, shape: tokens.accept('VALUE') ? parseShape(source) : parseNamedShapes(source, parseShape(source)) }
  if (tokens.accept('VALUE')) {
    if (!tokens.is('COUNT') && !tokens.is('COUNT', 4)) return { kind: 'documents', rewritten: false, shape: parseShape(source) }
    const rewritten = tokens.accept('[')
    if (rewritten) parseItem(source, () => parseCount(source))
    else parseCount(source)
    if (rewritten) tokens.expect(']')
    return { kind: 'count', rewritten }
  }
  if (tokens.is('[')) return parseRewrittenGroups(source)
  if (isAggregate(source)) return { kind: 'columns', rewritten: false, columns: parseColumns(source) }
  const first = parseShape(source)
  if (tokens.is(',') && tokens.is('[', 1) && tokens.is('{', 2)) return parseRewrittenOrder(source)
  if (first.kind !== 'ref' || !aggregatesFollow(source)) return { kind: 'documents', rewritten: false, shape: parseNamedShapes(source, first) }
  const columns = parseColumns(source, parseKey(source, first.ref))
  const [key, count, ...others] = columns
  const isCount = count?.kind === 'aggregate' && count.of === 'COUNT' && count.argument.kind === 'value' && count.argument.value === 1
  // c.a, COUNT(1) AS many
  if (key?.kind === 'key' && isCount && others.length === 0) return { kind: 'groups', rewritten: false, by: key.ref, found: key.name, many: count.name }
  return { kind: 'columns', rewritten: false, columns }
}

/** c._rid, [{"item": c["a"]}] AS orderByItems, c AS payload */
function parseRewrittenOrder(source: Source): Selection {
  const { tokens } = source
  tokens.expect(',', '[')
  do parseItem(source, () => parseRef(source))
  while (tokens.accept(','))
  tokens.expect(']', 'AS', 'ORDERBYITEMS', ',')
  const shape = parseShape(source)
  tokens.expect('AS', 'PAYLOAD')
  const isDocument = shape.kind === 'ref' && shape.ref.steps.length === 0
  return { kind: 'documents', rewritten: true, ...(isDocument ? {} : { shape }) }
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
