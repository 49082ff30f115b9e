// Checks the options of a function before it does anything: programs without types would else fail later, at a place that
// does not name the option, or serve as if a misspelt option had not been given.

import { isObject } from '../model/json/json.ts'
import { ConfigError } from '../errors.ts'
import { didYouMean } from '../model/sdl/suggest-name.ts'

/** An option that is checked: what it has to be, and what to pass. */
export interface CheckedOption {
  readonly is: (value: unknown) => boolean
  readonly pass: string
  /** What is wrong with a value, where that is not its type. */
  readonly wrong?: (value: unknown) => string | undefined
}

/** `known` has the names of all options. Throws a `ConfigError` that lists every mistake. */
export function checkOptions(caller: string, options: object | undefined, known: Readonly<Record<string, true | CheckedOption>>): void {
  const given = { ...options } as Readonly<Record<string, unknown>>
  const names = Object.keys(known)
  const problems = [
    ...Object.entries(known).flatMap(([name, option]) => (option === true || option.is(given[name]) ? [] : [`${caller}: ${name} ${option.wrong?.(given[name]) ?? shown(given[name])}. ${option.pass}`])),
    ...Object.keys(given).filter((name) => !Object.hasOwn(known, name)).map((name) => `${caller}: there is no option ${name}.${didYouMean(name, names) || ` The options are ${names.join(', ')}.`}`),
  ]
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
}

export function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

export const optionalFunction: CheckedOption = { is: (value) => value === undefined || isFunction(value), pass: 'Pass a function.' }

/** An optional number from 0; Infinity for no limit. */
export const amount: CheckedOption = { is: (value) => value === undefined || isAmount(value), pass: 'Pass a number from 0.' }

/** Optional numbers with these names. */
export function amounts(names: readonly string[]): CheckedOption {
  const wrongIn = (value: unknown) => Object.entries(value as object).find(([name, each]) => !names.includes(name) || (each !== undefined && !isAmount(each)))
  return {
    is: (value) => value === undefined || (isObject(value) && !wrongIn(value)),
    wrong(value) {
      const found = isObject(value) ? wrongIn(value) : undefined
      return found && `has ${found[0]}: ${String(found[1])}`
    },
    pass: `Pass numbers from 0 for some of ${names.join(', ')}.`,
  }
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'is missing'
  if (value instanceof Promise) return 'is a promise'
  if (Array.isArray(value)) return 'is a list'
  if (typeof value === 'number') return `is ${value}`
  return typeof value === 'object' ? 'is another object' : `is a ${typeof value}`
}
