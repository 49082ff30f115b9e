// The properties of documents as paths: those at the top, those of objects, and, behind a `'*'`, those of the elements of lists.

import type { Path } from '../../store/query.ts'
import type { ObjectProfile, ValueProfile } from './value-profile.ts'

export interface ProfiledPath {
  readonly path: Path
  readonly value: ValueProfile
  /** How many holders could have the property. */
  readonly holders: number
}

/** Every path, outer ones first. Elements of a list have the path of the list with `'*'` at its end. */
export function* pathsIn({ properties, objects }: ObjectProfile, above: Path = []): Generator<ProfiledPath> {
  for (const [name, value] of properties) yield* pathsAt({ path: [...above, name], value, holders: objects })
}

function* pathsAt(at: ProfiledPath): Generator<ProfiledPath> {
  yield at
  const { path, value } = at
  if (value.object) yield* pathsIn(value.object, path)
  if (value.elements && value.elements.present > 0) yield* pathsAt({ path: [...path, '*'], value: value.elements, holders: value.elements.present })
}

/** `contact.emails[].address`. */
export function pathText(path: Path): string {
  return path.map((name, at) => (name === '*' ? '[]' : `${at === 0 ? '' : '.'}${name}`)).join('')
}
