// Operations that wait to be admitted, in two queues: light ones, and expensive ones together with those of unknown cost. While both wait,
// light ones get three quarters of the event loop's time: a light one waits for at most one expensive one, however many there
// are, and expensive ones share the rest.

import { WaitingQueue, type Admit } from './waiting-queue.ts'

/** Known before the operation runs, from its planned cost. */
export type CostClass = 'light' | 'expensive'

/** For each millisecond of expensive operations, light ones get so many. */
const lightMsPerExpensiveMs = 3

/** What one class may save up while the other cannot run. */
const maxSavedMs = 10

export class FairQueue {
  readonly #light: WaitingQueue
  readonly #expensive: WaitingQueue
  readonly #maxWaiting: number
  /** How long light ones may hold the event loop before it is the turn of an expensive one, since both wait. */
  #owedToLightMs = 0

  constructor({ maxWaiting, maxWaitMs }: { readonly maxWaiting: number; readonly maxWaitMs: number }) {
    this.#light = new WaitingQueue(maxWaitMs)
    this.#expensive = new WaitingQueue(maxWaitMs)
    this.#maxWaiting = maxWaiting
  }

  get size(): number {
    return this.#light.size + this.#expensive.size
  }

  /** How many have to be served before one of this class that comes now. */
  before(costClass: CostClass): number {
    return costClass === 'light' ? this.#light.size : this.size
  }

  /** Half of the places are for light ones alone. */
  isFull(costClass: CostClass): boolean {
    return this.size >= this.#maxWaiting || (costClass === 'expensive' && this.#expensive.size >= this.#maxWaiting / 2)
  }

  /** Resolves to false after the max wait. */
  join(costClass: CostClass): Promise<boolean> {
    return (costClass === 'light' ? this.#light : this.#expensive).join()
  }

  hasNext(mayBeExpensive: boolean): boolean {
    return this.#light.size > 0 || (mayBeExpensive && this.#expensive.size > 0)
  }

  /** The next one leaves its line. */
  shift(mayBeExpensive: boolean): { readonly costClass: CostClass; readonly admit: Admit } | undefined {
    if (!this.areBothWaiting) this.#owedToLightMs = 0
    const isExpensive = mayBeExpensive && this.#expensive.size > 0 && (this.#light.size === 0 || this.#owedToLightMs < 0)
    const admit = (isExpensive ? this.#expensive : this.#light).shift()
    return admit && { costClass: isExpensive ? 'expensive' : 'light', admit }
  }

  /** Whether it matters who has held the event loop for how long. */
  get areBothWaiting(): boolean {
    return this.#light.size > 0 && this.#expensive.size > 0
  }

  /** An operation has held the event loop for so long while both were waiting. */
  held(costClass: CostClass, ms: number): void {
    if (costClass === 'light') this.#owedToLightMs = Math.max(-maxSavedMs, this.#owedToLightMs - ms)
    else this.#owedToLightMs += lightMsPerExpensiveMs * ms
  }
}
