// Something was asked for that cannot be done; the message says what could be.

export class UsageError extends Error {
  override readonly name = 'UsageError'
}
