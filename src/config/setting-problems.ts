// Collects the errors of several settings, so that the user can correct all of them at once.

import { ConfigError } from '../errors.ts'

/** The value in a list; nothing if it is wrong, and then the problem is noted. */
export function collected<T>(problems: ConfigError[], read: () => T): T[] {
  try {
    return [read()]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    problems.push(error)
    return []
  }
}

/** A line for each problem. */
export function throwAll(problems: readonly ConfigError[]): void {
  const [first] = problems
  if (first !== undefined) throw problems.length === 1 ? first : new ConfigError(problems.map(({ message }) => message).join('\n'), { cause: first })
}
