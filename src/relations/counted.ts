// `@counted`: how many there are, written down when something is written. Where the counted list is
// in the document itself, the number is as true as the list. Where it is elsewhere, the number is a
// copy, and a reader who allows no stale copies has it counted instead.

import { countCharge } from '../store/charge.ts'
import { objectType, type Field, type StorageOf } from '../model/model.ts'
import type { Body } from '../store/store.ts'
import type { Kind } from './kind.ts'
import { valueIndex } from './value-index.ts'

export const counted: Kind<StorageOf<'counted'>> = {
  check(field, model) {
    const { relation } = field.storage
    const type = objectType(model, field.owner)!
    if (field.target !== 'Int' || field.shape !== 'one') return [`${field.coordinate} is declared @counted, so it has to be an Int!.`]
    const known = [...type.fields.values()].filter(isCountable).map(({ name }) => name)
    if (known.includes(relation)) return []
    const hint = known.length > 0 ? `Name one of ${known.join(', ')}.` : `${type.name} has none.`
    return [`${field.coordinate} counts ${relation}, which is no list or connection of ${type.name}. ${hint}`]
  },

  indexes: valueIndex,

  prepare(field, { model, prepared }) {
    const { at, relation } = field.storage
    const value = (holder: Body) => (holder[at] as number | undefined) ?? 0
    const other = prepared(objectType(model, field.owner)!.fields.get(relation)!)
    const count = 'count' in other ? other.count : undefined
    if (!count) return { value }
    return {
      copied: new Set(),
      copy: value,
      spare: (_, reads, asker) => reads.ledger?.spareCount(asker, countCharge()),
      look: count,
      because: `${relation} is counted`,
    }
  },
}

function isCountable(field: Field): boolean {
  return field.shape !== 'one'
}
