// The functions behind the @derived fields of the shipped schema. They see one document and nothing
// else: what needs a second document is a relation, and those are declared in schema/.

import type { Derive } from '../relations/kind.ts'

export const derive: Derive = {
  Author: { name: fullName, thumbnailUrl },
  Person: { name: fullName },
}

// What these functions read of a stored document. Everything is optional because the database
// checks nothing: a document that came in some other way may lack a property or have null there.

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

/** The first small picture. Null where there is none, since a snapshot is stored as JSON and has to say so. */
export function thumbnailUrl({ images }: Pictured): string | null {
  return images?.find(({ thumbnail }) => typeof thumbnail === 'string')?.thumbnail ?? null
}
