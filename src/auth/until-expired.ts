// Events for as long as whoever listens is known to be who they are.

/** What comes last, in place of an event. */
export const expired = Symbol('expired')

/** The longest that a timer can be set for. */
const mostMs = 2 ** 31 - 1

export function within(events: AsyncIterable<unknown>, untilMs: number | undefined): AsyncIterable<unknown> {
  return untilMs === undefined ? events : { [Symbol.asyncIterator]: () => untilThen(events, untilMs) }
}

async function* untilThen(events: AsyncIterable<unknown>, untilMs: number): AsyncGenerator {
  const iterator = events[Symbol.asyncIterator]()
  const end = Promise.withResolvers<typeof expired>()
  const wait = (): NodeJS.Timeout => setTimeout(() => (Date.now() >= untilMs ? end.resolve(expired) : (timer = wait())), Math.max(0, Math.min(untilMs - Date.now(), mostMs))).unref()
  let timer = wait()
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), end.promise])
      if (next === expired) {
        yield expired
        return
      }
      if (next.done) return
      yield next.value
    }
  } finally {
    clearTimeout(timer)
    // Not waited for: it may be waiting for an event that never comes.
    void iterator.return?.()
  }
}
