// The events of a subscription until the viewer's token expires.

/** The last item, in place of an event. */
export const expired = Symbol('expired')

/** The longest timer that Node has. */
const maxTimerMs = 2 ** 31 - 1

export function untilExpired(events: AsyncIterable<unknown>, untilMs: number | undefined): AsyncIterable<unknown> {
  return untilMs === undefined ? events : { [Symbol.asyncIterator]: () => cutOff(events, untilMs) }
}

async function* cutOff(events: AsyncIterable<unknown>, untilMs: number): AsyncGenerator {
  const iterator = events[Symbol.asyncIterator]()
  const end = Promise.withResolvers<typeof expired>()
  const wait = (): NodeJS.Timeout => setTimeout(() => (Date.now() >= untilMs ? end.resolve(expired) : (timer = wait())), Math.max(0, Math.min(untilMs - Date.now(), maxTimerMs))).unref()
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
    // Not awaited: it may be waiting for an event that never comes.
    void iterator.return?.()
  }
}
