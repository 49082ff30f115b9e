// A schema that Quire cannot serve. It lists everything that is wrong at once, so that nobody has
// to start the gateway five times to find five mistakes.

export class DeclarationError extends Error {
  override readonly name = 'DeclarationError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The schema cannot be served:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}
