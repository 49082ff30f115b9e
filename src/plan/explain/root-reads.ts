// What the root fields that every schema has ask of the store.

import type { Declaration } from '../../relations/declaration.ts'
import { badInput } from '../../errors.ts'
import { createFilter, type FilterInput, type OrderInput } from '../filter.ts'
import { readNodeId } from '../../model/keys/node-id.ts'
import { numericId } from '../../model/keys/numeric-id.ts'
import { askedById, askedByKey, askedListing, once, upTo, type Asks } from '../../read/read-keys.ts'
import type { Window } from '../../read/listing.ts'
import { partitionArguments } from '../../model/api/root-fields.ts'

export interface RootAsks {
  readonly asks: Asks
  /** Whether it is a connection. */
  readonly listed?: boolean
  /** The types that it can find, where they are fewer than the schema says. */
  readonly members?: ReadonlySet<string>
}

/** Undefined for a root field that the schema has added itself. */
export function rootAsks({ model }: Declaration, coordinate: string, args: Record<string, unknown>, window: (scope: string) => Window): RootAsks | undefined {
  const name = coordinate.split('.')[1]!
  if (name === 'node') {
    const found = readNodeId(model, args['nodeId'] as string)
    if (!found) throw badInput(`"${String(args['nodeId']).slice(0, 80)}" is not a global id. Take one from a nodeId field.`)
    return { asks: { stages: [{ ...askedByKey(found.type.container, once), type: found.type }], rows: upTo(1) }, members: new Set([found.type.name]) }
  }
  for (const type of model.documents.values()) {
    if (name === type.singular) {
      const known = Object.fromEntries(partitionArguments(type).map(({ name: argument, property, numeric }) => {
        const given = args[argument] ?? undefined
        return [property, numeric && typeof given === 'string' ? numericId(given) : given]
      }))
      return { asks: { stages: [askedById(type, once, { ...known, id: args['id'] })], rows: upTo(1) } }
    }
    if (name === type.plural) {
      const { select, order } = createFilter(type)
      const selection = select(args['filter'] as FilterInput | undefined)
      return { asks: askedListing(type, selection, order(args['orderBy'] as OrderInput | undefined), window(coordinate)), listed: true }
    }
  }
  return undefined
}
