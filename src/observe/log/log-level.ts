// The levels of the log. Lines at the chosen level and at more severe ones are written.

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
/**
 * Lines of this level and of more severe ones are written.
 *
 * @example
 * ```ts
 * const level: LogLevel = 'warn'
 * ```
 */
export type LogLevel = (typeof logLevels)[number]
