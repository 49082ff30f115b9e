// The functions of the library's @derived fields. Each sees one document only: a value that needs a second document is
// a relation, and the SDL declares it.

import type { Derive } from '../../src/index.ts'

export const derive: Derive = {
  Author: { name: fullName, thumbnailUrl },
  Person: { name: fullName },
}

// The properties that these functions read. All are optional, because a document database checks nothing: a document that
// another program wrote may lack a property or have null there.

export type Named = { readonly firstName?: string | null; readonly lastName?: string | null }
export type Pictured = { readonly images?: readonly Picture[] | null }

/** One picture, by the size it is kept in. */
export type Picture = { readonly thumbnail?: string | null; readonly profile?: string | null; readonly large?: string | null }

export function fullName({ firstName, lastName }: Named): string {
  if (isText(firstName) && isText(lastName)) return `${firstName} ${lastName}`
  return isText(firstName) ? firstName : isText(lastName) ? lastName : ''
}

function isText(part: string | null | undefined): part is string {
  return typeof part === 'string' && part !== ''
}

/** The first small picture. Null if there is none: a snapshot is stored as JSON, which has no undefined. */
export function thumbnailUrl({ images }: Pictured): string | null {
  return images?.find(({ thumbnail }) => typeof thumbnail === 'string')?.thumbnail ?? null
}
