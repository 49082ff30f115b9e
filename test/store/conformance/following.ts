// Ways to follow the change feed that several tests share.

import { keyText } from '../../../src/model/keys/key.ts'
import type { Body } from '../../../src/model/json/json.ts'
import type { Change, Changes, Store } from '../../../src/store/store.ts'

/** One part to its end, page by page. */
export async function followPart(store: Store, part: string, behind?: string, limit = 100): Promise<Changes> {
  const changes: Change[] = []
  let point = behind
  for (;;) {
    const page = await store.changes(part, point, limit)
    if (page.changes.length === 0) return { changes, point, end: true }
    changes.push(...page.changes)
    // Ends even if a feed goes in circles.
    if (changes.length > 10_000) throw new Error('The feed does not end.')
    point = page.point
  }
}

/** Every part from its beginning to its end, one after the other. */
export async function followAll(store: Store, limit?: number): Promise<Change[]> {
  const parts = await Promise.all((await store.feedParts()).map((part) => followPart(store, part, undefined, limit)))
  return parts.flatMap(({ changes }) => changes)
}

/** The part that contains this document. */
export async function partWith(store: Store, id: string): Promise<string> {
  for (const part of await store.feedParts()) {
    const { changes } = await followPart(store, part)
    if (changes.some(({ key }) => key.id === id)) return part
  }
  throw new Error(`No part has ${id}.`)
}

export function nameOf({ container, key }: Pick<Change, 'container' | 'key'>): string {
  return `${container} ${keyText(key)}`
}

/** The documents of a follower that applies the changes. */
export function replay(copy: Map<string, Body>, changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.deleted) copy.delete(nameOf(change))
    else copy.set(nameOf(change), change.body)
  }
}

export function idsAndFates(changes: readonly Change[]): string[] {
  return changes.map(({ key, deleted }) => (deleted ? `${key.id} deleted` : key.id))
}
