// What `@frozen` fields hold: a value of the referenced document, taken when the reference is written. A reference that was there before
// keeps what was taken then, also inside a list that is written as a whole.

import { idArgument } from '../../model/api/filters.ts'
import type { ContainedType, Model, ObjectType } from '../../model/model.ts'
import { isBody, type Body, type Json } from '../../model/json/json.ts'
import { frozenIn } from '../../relations/values/frozen.ts'
import type { KindContext } from '../../relations/kind.ts'
import { idOf } from '../../relations/pointers/walk-pointers.ts'
import type { Input } from './input.ts'

/** The frozen values of an object whose references are given. `before` is the object as it is stored. */
export function frozenValues(type: ObjectType, input: Input, { model, prepared }: KindContext, documentOf: (type: string, id: string) => Body, before: Body | undefined): Body {
  const values: Record<string, Json> = {}
  for (const { at, source: { pointer, field } } of frozenIn(model, type)) {
    const id = input[idArgument(pointer)] as string | null | undefined
    if (id === undefined) continue
    if (id !== null && before && before[at] !== undefined && heldId(before, pointer.storage.at) === id) values[at] = before[at]
    else {
      const found = prepared(field)
      values[at] = id === null || !('value' in found) ? null : (found.value(documentOf(pointer.target, id)) as Json)
    }
  }
  return values
}

/** Finds for contained objects those that were stored before, each once: with the same references where values of them are frozen, otherwise at the same place. */
export class StoredObjects {
  readonly #left: (Body | undefined)[]

  constructor(stored: Json | undefined) {
    this.#left = (Array.isArray(stored) ? stored : [stored]).map((each: Json | undefined) => (isBody(each) ? each : undefined))
  }

  find(model: Model, shape: ContainedType, inner: Input, at: number): Body | undefined {
    const frozen = frozenIn(model, shape)
    if (frozen.length === 0) return this.#left[at]
    const found = this.#left.findIndex((each) => each && frozen.every(({ source: { pointer } }) => heldId(each, pointer.storage.at) === inner[idArgument(pointer)]))
    if (found < 0) return undefined
    const [object] = this.#left.splice(found, 1, undefined)
    return object
  }
}

function heldId(object: Body, at: string): string | undefined {
  const held = object[at]
  return held === undefined || held === null ? undefined : idOf(held)
}
