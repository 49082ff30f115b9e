// What is wrong with a text that should have been JSON, in one line: the engine quotes what is around the
// mistake, newlines and all.

export function jsonError(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').replace(/\.$/, '')
}
