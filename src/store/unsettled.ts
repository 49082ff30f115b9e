// Which documents have been written since the last commit. Until it is made, or not, nothing about them
// can be remembered.

import { KeyMap } from '../keys/key-map.ts'
import type { Key } from '../keys/key.ts'

export class Unsettled {
  readonly #byContainer = new Map<string, KeyMap<Key>>()

  add(container: string, key: Key): void {
    let keys = this.#byContainer.get(container)
    if (!keys) this.#byContainer.set(container, (keys = new KeyMap<Key>()))
    keys.set(key, key)
  }

  touches(container: string): boolean {
    return this.#byContainer.has(container)
  }

  has(container: string, key: Key): boolean {
    return this.#byContainer.get(container)?.get(key) !== undefined
  }

  /** All of them, and none from now on. */
  *settle(): Generator<{ readonly container: string; readonly key: Key }> {
    for (const [container, keys] of this.#byContainer) for (const key of keys.values()) yield { container, key }
    this.#byContainer.clear()
  }
}
