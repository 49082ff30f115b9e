// The message of a JSON syntax error in one line. V8 quotes the text around the mistake, including newlines.

export function jsonError(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').replace(/\.$/, '')
}
