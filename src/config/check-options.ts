// Checks the options of a function before it does anything: programs without types would else fail later, at a place that
// does not name the option, or serve as if a misspelt option had not been given.

import { ConfigError } from '../errors.ts'
import { didYouMean } from '../model/sdl/suggest-name.ts'

/** A required option: what it has to be, and what to pass. */
export interface RequiredOption {
  readonly is: (value: unknown) => boolean
  readonly pass: string
}

/** `known` has the names of all options. Throws a `ConfigError` that lists every mistake. */
export function checkOptions(caller: string, options: object | undefined, known: Readonly<Record<string, true | RequiredOption>>): void {
  const given = { ...options } as Readonly<Record<string, unknown>>
  const names = Object.keys(known)
  const problems = [
    ...Object.entries(known).flatMap(([name, option]) => (option === true || option.is(given[name]) ? [] : [`${caller}: ${name} ${shown(given[name])}. ${option.pass}`])),
    ...Object.keys(given).filter((name) => !Object.hasOwn(known, name)).map((name) => `${caller}: there is no option ${name}.${didYouMean(name, names) || ` The options are ${names.join(', ')}.`}`),
  ]
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
}

export function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'is missing'
  if (value instanceof Promise) return 'is a promise'
  if (Array.isArray(value)) return 'is a list'
  return typeof value === 'object' ? 'is another object' : `is a ${typeof value}`
}
