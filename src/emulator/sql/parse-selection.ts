// Parses what a query selects, between SELECT and FROM; the forms that query plans rewrite it to as well.

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
  const first = parseShape(source)
  if (tokens.is(',') && tokens.is('[', 1) && tokens.is('{', 2)) return parseRewrittenOrder(source)
  // c.a AS a, COUNT(1) AS many
  if (first.kind !== 'ref' || !tokens.is('COUNT', 3)) return { kind: 'documents', rewritten: false, shape: parseNamedShapes(source, first) }
  const by = first.ref
  tokens.expect('AS')
  const found = tokens.word()
  tokens.expect(',')
  parseCount(source)
  tokens.expect('AS')
  return { kind: 'groups', rewritten: false, by, found, many: tokens.word() }
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
