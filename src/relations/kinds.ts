// Every relation kind, by the name of its directive. A new kind is a directive (schema/vocabulary.graphql), its
// arguments and traits (model/storages.ts), a file beside this one, a line here, and a test.

import type { Storage, StorageKind, StorageOf } from '../model/storages.ts'
import { allFields, type Field, type Model } from '../model/model.ts'
import { aggregated } from './aggregated.ts'
import { bucketed } from './bucketed.ts'
import { contained } from './values/contained.ts'
import { counted } from './counted.ts'
import { derived } from './values/derived.ts'
import { frozen } from './values/frozen.ts'
import { joined } from './joined.ts'
import type { Derive, Kind, Relation, Value } from './kind.ts'
import { reference } from './reference.ts'
import { resolved } from './values/resolved.ts'
import { reverse } from './reverse.ts'
import { snapshot } from './snapshot.ts'
import { stored } from './values/stored.ts'

const kinds: { readonly [K in StorageKind]: Kind<StorageOf<K>> } = {
  stored, contained, derived, frozen, resolved, reference, snapshot, reverse, joined, bucketed, counted, aggregated,
}

export function kindOf(field: Field): Kind<Storage> {
  // TypeScript cannot tell that the kind belongs to the storage of the same name.
  return kinds[field.storage.kind] as unknown as Kind<Storage>
}

/** How the value of each field is read. */
export function prepareFields(model: Model, derive: Derive): (field: Field) => Value | Relation {
  const known = new Map<string, Value | Relation>()
  const prepared = (field: Field): Value | Relation => {
    const ready = known.get(field.coordinate) ?? kindOf(field).prepare(field, { model, derive, prepared })
    known.set(field.coordinate, ready)
    return ready
  }
  for (const field of allFields(model)) prepared(field)
  return prepared
}
