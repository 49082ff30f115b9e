// A map from places: a container, and a key in it.

import { KeyMap } from './key-map.ts'
import type { Key } from './key.ts'

export class AddressMap<Value extends object> {
  readonly #byContainer = new Map<string, KeyMap<Value>>()

  get(container: string, key: Key): Value | undefined {
    return this.#byContainer.get(container)?.get(key)
  }

  set(container: string, key: Key, value: Value): void {
    let values = this.#byContainer.get(container)
    if (!values) this.#byContainer.set(container, (values = new KeyMap<Value>()))
    values.set(key, value)
  }

  /** Whether anything was ever set in a container. */
  touches(container: string): boolean {
    return this.#byContainer.has(container)
  }

  *values(): Generator<Value> {
    for (const values of this.#byContainer.values()) yield* values.values()
  }

  clear(): void {
    this.#byContainer.clear()
  }
}
