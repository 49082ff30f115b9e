// Parses what a query aggregates: SUM(IIF(IS_NUMBER(c["n"]), c["n"], undefined)) AS total. The arguments of aggregates are
// references, values and IIF, with a type check as its condition.

import { parseCondition } from './parse-condition.ts'
import { isValue, parseRef, parseValue, type Source } from './parse-values.ts'
import { aggregateFunctions, type AggregateFunction, type Column, type Expression, type Ref } from './syntax.ts'

/** c["a"] AS x, COUNT(1) AS many, … once the first one is parsed, if it is given. */
export function parseColumns(source: Source, first = parseColumn(source)): Column[] {
  const columns = [first]
  while (source.tokens.accept(',')) columns.push(parseColumn(source))
  return columns
}

/** Whether there is an aggregate before FROM. */
export function aggregatesFollow({ tokens }: Source): boolean {
  for (let ahead = 0; tokens.at(ahead).kind !== 'end' && !tokens.is('FROM', ahead); ahead++) {
    if (tokens.is('(', ahead + 1) && isAggregateFunction(tokens.at(ahead).text.toUpperCase())) return true
  }
  return false
}

/** Whether the next thing is an aggregate. */
export function isAggregate({ tokens }: Source): boolean {
  return tokens.next.kind === 'word' && tokens.is('(', 1) && isAggregateFunction(tokens.next.text.toUpperCase())
}

function parseColumn(source: Source): Column {
  const { tokens } = source
  if (!isAggregate(source)) {
    return parseKey(source, parseRef(source))
  }
  const of = tokens.take().text.toUpperCase() as AggregateFunction
  tokens.expect('(')
  const argument = parseExpression(source)
  tokens.expect(')', 'AS')
  return { kind: 'aggregate', of, argument, name: tokens.word() }
}

/** The rest of c.a AS x, once its reference is parsed; without a name it takes its last property. */
export function parseKey({ tokens }: Source, ref: Ref): Column {
  const last = ref.steps.at(-1)
  if (typeof last !== 'string') tokens.expect('AS')
  else if (!tokens.accept('AS')) return { kind: 'key', ref, name: last }
  return { kind: 'key', ref, name: tokens.word() }
}

function parseExpression(source: Source): Expression {
  const { tokens } = source
  if (tokens.accept('UNDEFINED')) return { kind: 'undefined' }
  if (tokens.accept('IIF')) {
    tokens.expect('(')
    const condition = parseCondition(source)
    tokens.expect(',')
    const ifTrue = parseExpression(source)
    tokens.expect(',')
    const otherwise = parseExpression(source)
    tokens.expect(')')
    return { kind: 'iif', condition, ifTrue, otherwise }
  }
  return isValue(source) ? { kind: 'value', value: parseValue(source) } : { kind: 'ref', ref: parseRef(source) }
}

function isAggregateFunction(name: string): name is AggregateFunction {
  return aggregateFunctions.some((each) => each === name)
}
