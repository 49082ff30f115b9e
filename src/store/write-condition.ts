// Whether a write's condition is met: the etags by which writers of the same document are told apart. And the other checks that every
// adapter makes: the container, and the part and point of the change feed. Errors other than conflicts are mistakes in the calling code.

import { ConflictError } from './store-errors.ts'
import type { Write } from './store.ts'

/** What an adapter keeps for a container. */
export function containerNamed<Container>(containers: ReadonlyMap<string, Container>, name: string): Container {
  const container = containers.get(name)
  if (container === undefined) {
    throw new Error(`There is no container ${JSON.stringify(name)}; the layout has ${[...containers.keys()].join(', ') || 'none'}.`)
  }
  return container
}

type Conditional = Pick<Write, 'container' | 'key'> & { readonly only?: Write['only'] | undefined }

/** Throws a ConflictError unless the stored document meets the write's condition. An etag of undefined matches none. */
export function checkCondition({ container, key, only }: Conditional, found: { readonly etag: string | undefined } | undefined): void {
  if (only === undefined) return
  if (only === 'if-absent') {
    if (found !== undefined) throw new ConflictError(container, key, 'present')
  } else if (found === undefined) {
    throw new ConflictError(container, key, 'absent')
  } else if (found.etag !== only.ifMatch) {
    throw new ConflictError(container, key, 'changed')
  }
}

export function checkFeedPart(part: string, parts: readonly string[]): void {
  if (!parts.includes(part)) throw new Error(`The change feed has no part ${JSON.stringify(part)}; its parts are ${parts.join(', ')}.`)
}

export function invalidFeedPoint(point: string): Error {
  return new Error(`${JSON.stringify(point)} is not a point in the change feed. Continue from a point that the feed has returned.`)
}
