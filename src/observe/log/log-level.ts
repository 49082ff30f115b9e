// The levels of the log. Lines at the chosen level and at more severe ones are written.

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]
