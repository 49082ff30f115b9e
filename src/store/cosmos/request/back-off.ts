// How long to wait before something is tried again that the service cannot do yet: longer each time, up to a second.

import { setTimeout as pause } from 'node:timers/promises'

/** Without the jitter of half to one and a half. */
export function backOffMs(tries: number): number {
  return Math.min(1000, 5 * 2 ** Math.min(tries, 8))
}

/** Returns at once when the signal is aborted; the next request then says so. */
export async function backOff(tries: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(backOffMs(tries) * (0.5 + Math.random()), undefined, signal ? { signal } : {}).catch(() => undefined)
}
