// Parses what may stand after WHERE. NOT binds closest, then AND, then OR.

import { parseOperand, parseRef, parseValue, isValue, type Source } from './parse-values.ts'
import { isTextFunction, textFunctions } from './text-functions.ts'
import { typeChecks, type Comparison, type Condition, type Json, type Loop, type TypeCheck } from './syntax.ts'

const comparisons = new Map<string, Comparison>([['=', '='], ['!=', '!='], ['<>', '!='], ['<', '<'], ['<=', '<='], ['>', '>'], ['>=', '>=']])

export function parseCondition(source: Source): Condition {
  return parseList(source, 'or', () => parseList(source, 'and', () => parseNegation(source)))
}

/** e IN c["tags"] */
export function parseLoop(source: Source): Loop {
  const alias = source.tokens.word()
  source.tokens.expect('IN')
  return { alias, over: parseRef(source) }
}

function parseList(source: Source, kind: 'and' | 'or', parsePart: () => Condition): Condition {
  const first = parsePart()
  const parts = [first]
  while (source.tokens.accept(kind.toUpperCase())) parts.push(parsePart())
  return parts.length === 1 ? first : { kind, parts }
}

function parseNegation(source: Source): Condition {
  return source.tokens.accept('NOT') ? { kind: 'not', part: parseNegation(source) } : parseSimple(source)
}

function parseSimple(source: Source): Condition {
  const { tokens } = source
  if (tokens.accept('(')) {
    const condition = parseCondition(source)
    tokens.expect(')')
    return condition
  }
  if ((tokens.is('TRUE') || tokens.is('FALSE')) && !comparisons.has(tokens.at(1).text)) {
    return { kind: 'constant', value: tokens.take().text.toUpperCase() === 'TRUE' }
  }
  if (tokens.next.kind === 'word' && tokens.is('(', 1)) return parseCall(source)
  return parseComparison(source)
}

function parseCall(source: Source): Condition {
  const { tokens } = source
  const name = tokens.next.text.toUpperCase()
  if (tokens.accept('EXISTS')) return parseExists(source)
  if (tokens.accept('ARRAY_CONTAINS')) return parseArrayContains(source)
  if (!isTextFunction(name) && !isTypeCheck(name)) return tokens.fail(`one of ${['EXISTS', 'ARRAY_CONTAINS', ...Object.keys(textFunctions), ...typeChecks].join(', ')}`)
  tokens.take()
  tokens.expect('(')
  const ref = parseRef(source)
  if (!isTextFunction(name)) {
    tokens.expect(')')
    return { kind: 'typeCheck', check: name, ref }
  }
  tokens.expect(',')
  const part = parseValue(source)
  const ignoresCase = tokens.accept(',') && parseValue(source) === true
  tokens.expect(')')
  return { kind: 'textFunction', name, ref, part, ignoresCase }
}

function parseExists(source: Source): Condition {
  const { tokens } = source
  tokens.expect('(', 'SELECT', 'VALUE')
  if (tokens.take().text !== '1') tokens.fail('1')
  tokens.expect('FROM')
  const loops = [parseLoop(source)]
  while (tokens.accept('JOIN')) loops.push(parseLoop(source))
  const where = tokens.accept('WHERE') ? parseCondition(source) : undefined
  tokens.expect(')')
  return { kind: 'exists', loops, where }
}

/** ARRAY_CONTAINS(c.tags, "new"): an element that equals the value. */
function parseArrayContains(source: Source): Condition {
  const { tokens } = source
  tokens.expect('(')
  const over = parseRef(source)
  tokens.expect(',')
  const value = parseValue(source)
  tokens.expect(')')
  const element = { kind: 'ref', ref: { alias: '', steps: [], text: '' } } as const
  return { kind: 'exists', loops: [{ alias: '', over }], where: { kind: 'comparison', operator: '=', left: element, right: { kind: 'value', value } } }
}

function parseComparison(source: Source): Condition {
  const { tokens } = source
  if (!isValue(source) && tokens.next.kind !== 'word') tokens.fail('a condition')
  const left = parseOperand(source)
  if (left.kind === 'ref' && tokens.accept('IN')) return { kind: 'in', ref: left.ref, values: parseValues(source) }
  if (left.kind === 'ref' && tokens.is('NOT') && tokens.is('IN', 1)) {
    tokens.expect('NOT', 'IN')
    return { kind: 'not', part: { kind: 'in', ref: left.ref, values: parseValues(source) } }
  }
  if (tokens.accept('BETWEEN')) {
    const low = parseOperand(source)
    tokens.expect('AND')
    return { kind: 'and', parts: [{ kind: 'comparison', operator: '>=', left, right: low }, { kind: 'comparison', operator: '<=', left, right: parseOperand(source) }] }
  }
  // c.active: a property that is true.
  if (left.kind === 'ref' && (tokens.next.kind === 'end' || tokens.next.kind === 'word' || tokens.is(')'))) {
    return { kind: 'comparison', operator: '=', left, right: { kind: 'value', value: true } }
  }
  const operator = tokens.next.kind === 'symbol' ? comparisons.get(tokens.next.text) : undefined
  if (operator === undefined) return tokens.fail('a comparison')
  tokens.take()
  return { kind: 'comparison', operator, left, right: parseOperand(source) }
}

function parseValues(source: Source): Json[] {
  source.tokens.expect('(')
  const values = [parseValue(source)]
  while (source.tokens.accept(',')) values.push(parseValue(source))
  source.tokens.expect(')')
  source.listed += values.length
  return values
}

function isTypeCheck(name: string): name is TypeCheck {
  return typeChecks.some((each) => each === name)
}
