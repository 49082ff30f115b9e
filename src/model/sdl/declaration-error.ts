// The error for a schema that Quire cannot serve. It lists all problems at once, so five mistakes do not take five
// starts to find.

/**
 * Lists all mistakes of a schema, each with its file, line and column where they are known.
 *
 * @example
 * ```ts
 * createGateway(options).catch((error) => {
 *   if (error instanceof DeclarationError) for (const problem of error.problems) console.error(problem)
 *   else throw error
 * })
 * ```
 */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The schema cannot be served:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}
