// Parses references and values: c["a"]["b"], c.a.b, @name and JSON literals.

import { Refusal } from '../http-messages.ts'
import type { Json, Operand, Ref } from './syntax.ts'
import type { Tokens } from './tokens.ts'

export interface Source {
  readonly tokens: Tokens
  readonly parameters: ReadonlyMap<string, Json>
  /** How many values the query lists in INs; the log shows it as the keys that were asked for. */
  listed: number
}

export function parseRef({ tokens }: Source): Ref {
  const { start } = tokens.next
  const alias = tokens.word()
  const steps: (string | number)[] = []
  for (;;) {
    if (tokens.accept('.')) steps.push(tokens.word())
    else if (tokens.accept('[')) {
      const { kind, text } = tokens.next
      if (kind !== 'string' && kind !== 'number') tokens.fail('a property name')
      tokens.take()
      steps.push(kind === 'string' ? unquoted(text) : Number(text))
      tokens.expect(']')
    } else break
  }
  return { alias, steps, text: tokens.text.slice(start, tokens.end) }
}

export function isValue({ tokens }: Source): boolean {
  return tokens.next.kind === 'parameter' || tokens.next.kind === 'string' || tokens.next.kind === 'number' ||
    tokens.is('TRUE') || tokens.is('FALSE') || tokens.is('NULL')
}

export function parseValue(source: Source): Json {
  if (!isValue(source)) source.tokens.fail('a value')
  const { kind, text } = source.tokens.take()
  if (kind === 'parameter') {
    const value = source.parameters.get(text)
    if (value === undefined) throw new Refusal(400, `The parameter ${text} has no value.`)
    return value
  }
  if (kind === 'string') return unquoted(text)
  return JSON.parse(text.toLowerCase()) as Json
}

export function parseOperand(source: Source): Operand {
  return isValue(source) ? { kind: 'value', value: parseValue(source) } : { kind: 'ref', ref: parseRef(source) }
}

function unquoted(text: string): string {
  const inner = text.slice(1, -1)
  const escaped = text.startsWith("'") ? inner.replaceAll(/\\'/g, "'").replaceAll('"', '\\"') : inner
  try {
    return JSON.parse(`"${escaped}"`) as string
  } catch {
    throw new Refusal(400, `Syntax error, ${text} is not a valid string.`)
  }
}
