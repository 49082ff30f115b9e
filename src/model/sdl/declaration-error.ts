// The error for a schema that Quire cannot serve. It lists all problems at once, so five mistakes do not take five
// starts to find.

export class DeclarationError extends Error {
  override readonly name = 'DeclarationError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The schema cannot be served:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}
