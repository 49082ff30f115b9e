// The order in which types are imported: referenced types first. Where types reference each other in a circle, the
// references that close it are set in a second pass, when all documents exist.

import { pointersOf } from '../../model/pointers.ts'
import type { Model } from '../../model/model.ts'
import type { DocumentRows, Given } from './mapping/mapping.ts'

export function inOrder(model: Model, all: readonly DocumentRows[]): DocumentRows[] {
  const ordered: DocumentRows[] = []
  const remaining = [...all]
  while (remaining.length > 0) {
    const waiting = new Set(remaining.map(({ type }) => type.name))
    const next = remaining.findIndex((one) => !referencedTypes(model, one).some((name) => waiting.has(name)))
    ordered.push(...remaining.splice(Math.max(0, next), 1))
  }
  return [...ordered.map((from, at) => without(from, later(ordered, at))), ...ordered.flatMap((from, at) => (referencesTo(from, later(ordered, at)).length > 0 ? [{ ...from, again: true }] : []))]
}

/** The types that are not complete yet when it is this one's turn. */
function later(ordered: readonly DocumentRows[], at: number): Set<string> {
  const there = new Set(ordered.slice(0, at).map(({ type }) => type.name))
  return new Set(ordered.slice(at).map(({ type }) => type.name).filter((name) => !there.has(name) || name === ordered[at]!.type.name))
}

function referencedTypes(model: Model, { type, fields }: DocumentRows): string[] {
  const given = new Set(fields.map(({ field }) => field))
  return pointersOf(model, type).filter(({ trail }) => given.has(trail[0]!.field)).map(({ field }) => field.target).filter((name) => name !== type.name)
}

function referencesTo({ fields }: DocumentRows, types: ReadonlySet<string>): Given[] {
  return fields.filter(({ field, from }) => from.by === 'id' && types.has(field.target))
}

function without(from: DocumentRows, types: ReadonlySet<string>): DocumentRows {
  const closing = new Set(referencesTo(from, types))
  return closing.size === 0 ? from : { ...from, fields: from.fields.filter((given) => !closing.has(given)) }
}
