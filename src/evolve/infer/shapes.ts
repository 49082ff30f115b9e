// Objects of several shapes in one place: those that have no property in common, so that a union says more than one type with optional fields.

import { isStorable } from './names.ts'
import type { ObjectProfile } from '../profile/value-profile.ts'

export interface GuessedShape {
  /** The property that all objects of this shape have, and no other. */
  readonly has: string
  readonly properties: readonly string[]
  readonly objects: number
}

/** Undefined if the objects are of one shape. */
export function shapesIn({ shapes, objects, properties }: ObjectProfile): GuessedShape[] | undefined {
  if (!shapes || objects < 2) return undefined
  const all = [...shapes].map(([names, count]) => ({ names: JSON.parse(names) as string[], count }))
  if (all.some(({ names }) => names.length === 0)) return undefined
  const groups: { names: Set<string>; members: typeof all }[] = []
  for (const shape of all) {
    const touching = groups.filter(({ names }) => shape.names.some((name) => names.has(name)))
    const joined = { names: new Set([...shape.names, ...touching.flatMap(({ names }) => [...names])]), members: [shape, ...touching.flatMap(({ members }) => members)] }
    groups.splice(0, groups.length, ...groups.filter((group) => !touching.includes(group)), joined)
  }
  // Where every shape is a single property, optional fields say the same.
  if (groups.length < 2 || groups.every(({ names }) => names.size === 1)) return undefined
  const found = groups.flatMap(({ names, members }): GuessedShape[] => {
    const has = [...properties.keys()].find((name) => members.every((member) => member.names.includes(name)) && properties.get(name)?.nulls === 0 && isStorable(name))
    return has === undefined ? [] : [{ has, properties: [...names], objects: members.reduce((sum, { count }) => sum + count, 0) }]
  })
  return found.length === groups.length ? found.toSorted((one, other) => other.objects - one.objects) : undefined
}
