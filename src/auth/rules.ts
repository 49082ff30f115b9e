// The rules of one gateway, and what they come to for whoever asks: worked out once for each viewer, and
// viewers stay the same object for as long as their token is remembered.

import { allFields } from '../model/model.ts'
import { Access, placeName, type AccessOptions, type Ruled } from './access.ts'
import type { Viewer } from './viewer.ts'

export class Rules {
  readonly #options: AccessOptions
  readonly #ruled: Ruled
  readonly #nobody: Access | undefined
  readonly #known = new WeakMap<Viewer, Access>()

  constructor(options: AccessOptions) {
    const { model, reads, writes } = options
    const types = [...model.documents.values(), ...model.contained.values()]
    const rules = [...types.flatMap(({ readable, writable }) => [readable, writable]), ...allFields(model).map(({ readable }) => readable), ...model.roots.values()]
    this.#options = options
    this.#ruled = {
      roles: [...new Set(rules.flatMap((rule) => rule?.roles ?? []))],
      types: new Map([...model.documents.values()].filter(({ readable }) => readable).map((type) => [placeName(type.container, type.discriminator), type])),
    }
    this.#nobody = reads || writes ? new Access(options, this.#ruled, undefined) : undefined
  }

  /** Undefined where no rule holds for anyone. */
  accessOf(viewer: Viewer | undefined): Access | undefined {
    if (!viewer || !this.#nobody) return this.#nobody
    let access = this.#known.get(viewer)
    if (!access) this.#known.set(viewer, (access = new Access(this.#options, this.#ruled, viewer)))
    return access
  }
}
