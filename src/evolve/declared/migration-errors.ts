// The error of a schema that the stored documents do not fit. Serving it would answer wrongly, or with nothing.

import type { Difference } from './differences.ts'

/**
 * The stored documents do not fit the schema. `message` has a line for each difference and says what to do.
 *
 * @example
 * ```ts
 * createGateway(options).catch((error: unknown) => {
 *   if (error instanceof MigrationNeededError) console.error(error.message)
 *   else throw error
 * })
 * ```
 */
export class MigrationNeededError extends Error {
  override readonly name: string = 'MigrationNeededError'
  /** A sentence for each difference. */
  readonly differences: readonly string[]

  /** @internal */
  constructor(differences: readonly string[]) {
    super(`The stored documents do not fit the schema, so it is not served:\n${differences.map((line) => `  - ${line}`).join('\n')}\nChange the schema back, or run "quire migrate" to see what the documents need.`)
    this.differences = differences
  }
}

/** Documents are being copied for the schema. A gateway can wait for it. @internal */
export class MigrationUnderWayError extends MigrationNeededError {
  constructor({ documents, total }: { readonly documents: number; readonly total: number }) {
    super([`Documents are being migrated to this schema, and ${documents} of ${Math.max(documents, total)} are copied. Start it again when "quire migrate --apply" is done; "quire start" waits for it.`])
  }
}

export function lineOf({ at, sentence }: Difference): string {
  return `${at} ${sentence}${/[.?]$/.test(sentence) ? '' : '.'}`
}
