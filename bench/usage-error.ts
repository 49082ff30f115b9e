// Wrong arguments; the message says what to give instead.

export class UsageError extends Error {
  override readonly name = 'UsageError'
}
