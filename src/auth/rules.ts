// The rules of one gateway. What they allow is computed once per viewer; a viewer stays the same object as long as its
// token is cached.

import { allFields, type Model } from '../model/model.ts'
import type { Rule } from '../model/rule.ts'
import { Access, containerKey, type AccessOptions, type RuleIndex } from './access.ts'
import type { Identity } from './identity.ts'
import type { Viewer } from './viewer.ts'

/** The options of a gateway that concern authentication and rules. */
export interface AuthOptions {
  /**
   * Finds the viewer of a request; `'server'` if your server authenticates and gives the viewer with each request. Without it,
   * development allows everything, and production treats every viewer as anonymous.
   */
  readonly identity?: Identity | 'server' | undefined
  /** Everyone may read, whatever the rules say; the default in development without `identity`. */
  readonly openReads?: boolean
  /** Everyone may write, whatever the rules say; the default in development without `identity`. */
  readonly openWrites?: boolean
}

export function createRules(model: Model, { development = false, identity, openReads, openWrites }: AuthOptions & { readonly development?: boolean }): Rules {
  const open = development && !identity
  return new Rules({ model, reads: !(openReads ?? open), writes: !(openWrites ?? open), identifies: identity !== undefined })
}

export class Rules {
  readonly #options: AccessOptions
  readonly #index: RuleIndex
  readonly #anonymous: Access | undefined
  readonly #ofViewers = new WeakMap<Viewer, Access>()

  constructor(options: AccessOptions) {
    const { model, reads, writes } = options
    const types = [...model.documents.values(), ...model.contained.values()]
    const reading = [...types.map(({ readable }) => readable), ...allFields(model).map(({ readable }) => readable), ...model.roots.values()]
    const rules = [...reading, ...types.map(({ writable }) => writable)]
    this.#options = options
    this.#index = {
      roles: [...new Set(rules.flatMap((rule) => rule?.roles ?? []))],
      types: new Map([...model.documents.values()].filter(({ readable }) => readable).map((type) => [containerKey(type.container, type.discriminator), type])),
      owned: reading.filter((rule) => rule?.owner !== undefined) as Rule[],
    }
    this.#anonymous = reads || writes ? new Access(options, this.#index, undefined) : undefined
  }

  /** Undefined if no rules are enforced. */
  accessOf(viewer: Viewer | undefined): Access | undefined {
    if (!viewer || !this.#anonymous) return this.#anonymous
    let access = this.#ofViewers.get(viewer)
    if (!access) this.#ofViewers.set(viewer, (access = new Access(this.#options, this.#index, viewer)))
    return access
  }
}
