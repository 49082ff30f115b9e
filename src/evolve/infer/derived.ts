// How a copied value that its source does not have may be computed from it: texts joined together, or a value from inside.

import { isBody, type Body, type Json } from '../../model/json/json.ts'
import { isSame, type CopyPair } from '../profile/copied-properties.ts'

export interface GuessedFunction {
  /** The function as TypeScript. */
  readonly code: string
  readonly compute: (document: Body) => Json
  /** The properties that it uses. */
  readonly uses: readonly string[]
  readonly evidence: string
}

const enough = 0.99
const separators = [' ', ', ', '-', '']

/** The function that gives this property of the copies; undefined if none is found. */
export function functionFor(name: string, pairs: readonly CopyPair[]): GuessedFunction | undefined {
  const first = pairs.find(({ copy }) => copy[name] !== undefined && copy[name] !== null)
  if (first === undefined || typeof first.copy[name] !== 'string') return undefined
  return [...joinsGiving(first.copy[name], first.original), ...pathsGiving(first.copy[name], first.original)].find(({ compute }) => {
    const right = pairs.filter(({ copy, original }) => isSame(compute(original), copy[name])).length
    return right >= enough * pairs.length
  })
}

function* joinsGiving(text: string, original: Body): Generator<GuessedFunction> {
  const parts = Object.entries(original).filter(([name, value]) => name !== 'id' && isName(name) && typeof value === 'string' && value !== '' && text.includes(value)).map(([name]) => name).slice(0, 8)
  for (const one of parts) {
    for (const other of parts) {
      for (const separator of separators) if (one !== other && [original[one], original[other]].join(separator) === text) yield joining([one, other], separator)
    }
  }
}

function joining(names: readonly string[], separator: string): GuessedFunction {
  return {
    code: `({ ${names.join(', ')} }) => [${names.join(', ')}].filter((part) => part).join(${JSON.stringify(separator).replaceAll('"', "'")})`,
    compute: (document) => names.map((name) => document[name]).filter((part) => part).join(separator),
    uses: names,
    evidence: `${names.join(' and ')}, joined by "${separator}"`,
  }
}

/** A value of an object inside, or of the first element of a list that has it. */
function* pathsGiving(text: string, original: Body): Generator<GuessedFunction> {
  for (const [outer, value] of Object.entries(original)) {
    if (!isName(outer)) continue
    const isList = Array.isArray(value)
    const inside = isList ? (value as readonly Json[]).filter(isBody) : isBody(value) ? [value] : []
    for (const inner of new Set(inside.flatMap((each) => Object.keys(each)))) {
      if (!isName(inner) || inside.find((each) => typeof each[inner] === 'string')?.[inner] !== text) continue
      yield {
        code: isList ? `({ ${outer} }) => ${outer}?.find((each) => typeof each.${inner} === 'string')?.${inner} ?? null` : `({ ${outer} }) => ${outer}?.${inner} ?? null`,
        compute: (document) => valueInside(document[outer], inner),
        uses: [],
        evidence: isList ? `the first ${inner} of ${outer}` : `${inner} of ${outer}`,
      }
    }
  }
}

function valueInside(value: Json | undefined, name: string): Json {
  const inside = Array.isArray(value) ? (value as readonly Json[]).filter(isBody).find((each) => typeof each[name] === 'string') : isBody(value) ? value : undefined
  return inside?.[name] ?? null
}

function isName(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text)
}
