// A store whose calls about one container wait until they are released: for measuring what a waiting request keeps in
// memory, and for tests of deadlines, limits and shutdown.

import type { Store } from '../../src/store/store.ts'

export class Pause {
  #container: string | undefined
  #waiting: (() => void)[] = []
  #arrived: (() => void)[] = []

  /** How many calls wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** From now on calls about this container wait. */
  begin(container: string): void {
    this.#container = container
  }

  release(): void {
    this.#container = undefined
    for (const go of this.#waiting.splice(0)) go()
  }

  /** Resolves when so many calls wait. */
  async until(count: number): Promise<void> {
    while (this.#waiting.length < count) await new Promise<void>((resolve) => this.#arrived.push(resolve))
  }

  pass(container: string): Promise<void> | undefined {
    if (container !== this.#container) return undefined
    const released = new Promise<void>((resolve) => this.#waiting.push(resolve))
    for (const tell of this.#arrived.splice(0)) tell()
    return released
  }
}

export function pausedStore(store: Store, pause: Pause): Store {
  return {
    ...store,
    lookIn: () => undefined,
    readMany: async (container, keys, meter) => {
      await pause.pass(container)
      return store.readMany(container, keys, meter)
    },
    query: async (query, meter) => {
      await pause.pass(query.container)
      return store.query(query, meter)
    },
  }
}
