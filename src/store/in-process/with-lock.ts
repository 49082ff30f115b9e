// A lock within this process: work that names the same lock runs one after the other, first come, first served.

/** The end of the last work in each queue. Unused locks are removed. */
const lastEnds = new Map<unknown, Promise<void>>()

/** Runs when all earlier work with this lock has ended, whether it succeeded or failed. */
export async function withLock<Answer>(lock: unknown, work: () => Answer | Promise<Answer>): Promise<Answer> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const earlier = lastEnds.get(lock)
  lastEnds.set(lock, ended)
  await earlier
  try {
    return await work()
  } finally {
    if (lastEnds.get(lock) === ended) lastEnds.delete(lock)
    end()
  }
}
