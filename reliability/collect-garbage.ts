// Collects what can be, and gives back to the system what is empty then; where node was started with --expose-gc.

export function collectGarbage(): void {
  // Any other collection keeps the pages that it has emptied, for the next objects.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
