// Parses what the rows of an answer are made of: c.name AS name, {"a": c.a}, [c.a, 1], after VALUE or in a list. The count forms are in
// parse-selection.ts.

import { isValue, parseRef, parseValue, type Source } from './parse-values.ts'
import type { Shape } from './syntax.ts'

/** One value: a reference, a value, an object or a list. */
export function parseShape(source: Source): Shape {
  const { tokens } = source
  if (tokens.accept('{')) return { kind: 'object', entries: listUntil(source, '}', () => parseEntry(source)) }
  if (tokens.accept('[')) return { kind: 'array', items: listUntil(source, ']', () => parseShape(source)) }
  if (isValue(source)) return { kind: 'value', value: parseValue(source) }
  return { kind: 'ref', ref: parseRef(source) }
}

/** The rest of c.a, c.b AS two, … once its first shape is parsed. A shape without a name takes its last property, or its place. */
export function parseNamedShapes(source: Source, first: Shape): Shape {
  const { tokens } = source
  const entries: [string, Shape][] = []
  let unnamed = 0
  const add = (shape: Shape): void => {
    const named = tokens.accept('AS') ? tokens.word() : nameOf(shape)
    entries.push([named ?? `$${++unnamed}`, shape])
  }
  add(first)
  while (tokens.accept(',')) add(parseShape(source))
  return { kind: 'object', entries }
}

function nameOf(shape: Shape): string | undefined {
  if (shape.kind !== 'ref') return undefined
  const last = shape.ref.steps.at(-1) ?? shape.ref.alias
  return typeof last === 'string' ? last : undefined
}

/** "name": shape, or name: shape */
function parseEntry(source: Source): [string, Shape] {
  const { tokens } = source
  const name = tokens.next.kind === 'string' ? String(parseValue(source)) : tokens.word()
  tokens.expect(':')
  return [name, parseShape(source)]
}

function listUntil<T>({ tokens }: Source, end: string, parse: () => T): T[] {
  const found: T[] = []
  if (tokens.accept(end)) return found
  do found.push(parse())
  while (tokens.accept(','))
  tokens.expect(end)
  return found
}
