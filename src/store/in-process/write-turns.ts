// Taking turns at writing, among the stores of this process: first come, first served. What is done
// in a turn, and what keeps other processes out meanwhile, is not decided here.

import { AsyncLocalStorage } from 'node:async_hooks'

interface Plan {
  readonly queue: unknown
  underWay: boolean
}

/** Who is last in each queue. A queue in which nobody waits is forgotten. */
const lasts = new Map<unknown, Promise<void>>()

/** The plans that the running code is part of. */
const plans = new AsyncLocalStorage<readonly Plan[]>()

/** Runs when everybody who came earlier is through, whether they succeeded or failed. */
export async function inTurn<Answer>(queue: unknown, work: () => Answer | Promise<Answer>): Promise<Answer> {
  checkNotInPlan(queue)
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const earlier = lasts.get(queue)
  lasts.set(queue, over)
  await earlier
  try {
    return await work()
  } finally {
    if (lasts.get(queue) === over) lasts.delete(queue)
    end()
  }
}

/** A plan would wait for a turn that ends only when it has ended itself: for ever, and everybody behind it too. */
export function checkNotInPlan(queue: unknown): void {
  if (isInPlan(queue)) throw new Error('The plan of an atomic write tried to write by itself. Let it answer with its writes instead.')
}

/** Whether the running code is part of a plan in this queue. */
export function isInPlan(queue: unknown): boolean {
  const running = plans.getStore()
  if (running === undefined) return false
  return running.some((plan) => plan.underWay && plan.queue === queue)
}

/** Runs a plan in the turn that is under way, so that its reads are known as its own and it is found out if it asks for another turn. */
export async function planInTurn<Answer>(queue: unknown, plan: () => Promise<Answer>): Promise<Answer> {
  const own: Plan = { queue, underWay: true }
  try {
    return await plans.run([...(plans.getStore() ?? []), own], plan)
  } finally {
    // What the plan started and did not wait for may write as it likes from now on.
    own.underWay = false
  }
}
