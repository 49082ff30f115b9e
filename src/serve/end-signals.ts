// The signals that end a gateway: SIGTERM from supervisors, SIGINT from a keyboard.

import { constants } from 'node:os'

const endSignals = ['SIGINT', 'SIGTERM'] as const

/** `code` is the exit code of a process that the signal ends at once. */
export function onEndSignal(end: (signal: string, code: number) => void): void {
  for (const signal of endSignals) process.on(signal, () => end(signal, 128 + constants.signals[signal]))
}
