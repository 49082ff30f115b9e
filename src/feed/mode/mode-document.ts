// The document that says in which effects mode a store is written.

import { whenReady, type MaybePromise } from '../../store/maybe-promise.ts'
import { ownContainer, ownKey, ownPut } from '../../store/own-container.ts'
import type { Store, Write } from '../../store/store.ts'
import type { EffectsMode } from '../../write/writer.ts'

export interface ModeDocument {
  readonly mode: EffectsMode
  /** False while a gateway drains the feed to enter the mode. */
  readonly entered: boolean
  /** Running gateways are to answer. */
  readonly asked?: string
}

const key = ownKey('effects')

export function readMode(store: Store): MaybePromise<ModeDocument | undefined> {
  return whenReady(store.readMany(ownContainer, [key]), ([found]) => found?.body as unknown as ModeDocument | undefined)
}

export function modePut(document: ModeDocument): Write {
  return ownPut(key, { ...document })
}
