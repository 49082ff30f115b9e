// Which code runs inside the plan of an atomic write: its reads see uncommitted writes, and it must not wait for the
// write lock, which its own store holds.

import { AsyncLocalStorage } from 'node:async_hooks'

interface Plan {
  readonly lock: unknown
  running: boolean
}

/** The plans that the running code is part of: a plan for one store may write to another. */
const plans = new AsyncLocalStorage<readonly Plan[]>()

/** Asking for the async context takes time, and most of the time no plan runs. */
let plansRunning = 0

/** Runs a plan while its store holds the write lock. */
export async function runPlan<Answer>(lock: unknown, plan: () => Promise<Answer>): Promise<Answer> {
  const own: Plan = { lock, running: true }
  plansRunning++
  try {
    return await plans.run([...(plans.getStore() ?? []), own], plan)
  } finally {
    // Work that the plan started and did not await runs outside the plan from now on, and may write.
    own.running = false
    plansRunning--
  }
}

export function isInPlan(lock: unknown): boolean {
  return plansRunning > 0 && (plans.getStore()?.some((plan) => plan.running && plan.lock === lock) ?? false)
}

/** A plan that writes would wait for a lock that is released only when the plan ends: it and all later writers would wait for ever. */
export function checkNotInPlan(lock: unknown): void {
  if (isInPlan(lock)) throw new Error('The plan of an atomic write called write or atomically. Return the writes from the plan instead.')
}
