// A store that does not answer about one container until it is let go. What a request keeps in memory
// while it waits can then be weighed.

import type { Store } from '../../src/store/store.ts'

export class Hold {
  #container: string | undefined
  #waiting: (() => void)[] = []

  /** How many calls are being held. */
  get held(): number {
    return this.#waiting.length
  }

  /** From now on calls about this container wait. */
  take(container: string): void {
    this.#container = container
  }

  letGo(): void {
    this.#container = undefined
    const going = this.#waiting
    this.#waiting = []
    for (const go of going) go()
  }

  pass(container: string): Promise<void> | undefined {
    return container === this.#container ? new Promise((resolve) => this.#waiting.push(resolve)) : undefined
  }
}

export function heldStore(store: Store, hold: Hold): Store {
  return {
    ...store,
    readMany: async (container, keys, meter) => {
      await hold.pass(container)
      return store.readMany(container, keys, meter)
    },
    query: async (query, meter) => {
      await hold.pass(query.container)
      return store.query(query, meter)
    },
  }
}
