// Collects garbage and returns empty pages to the system. Does nothing unless node was started with --expose-gc.

export function collectGarbage(): void {
  // Other kinds of collection keep empty pages for the next objects.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
