// `@derived`: computed from the document by a function. Snapshots use the same function, so a snapshot and its
// original are always computed alike.

import { isStored, objectType, type Model } from '../../model/model.ts'
import { didYouMean } from '../../model/sdl/suggest-name.ts'
import type { StorageOf } from '../../model/storages.ts'
import type { Derive, Kind } from '../kind.ts'

export const derived: Kind<StorageOf<'derived'>> = {
  check({ owner, name, coordinate }, _, derive) {
    if (typeof derive[owner]?.[name] === 'function') return []
    return [`${coordinate}: @derived needs a function. Add derive: { ${owner}: { ${name}: (document) => … } }.`]
  },
  prepare: ({ owner, name }, { derive }) => ({ value: derive[owner]![name]! }),
}

/** The functions that would never be called, because no `@derived` field has their name. */
export function checkDerive(derive: Derive, model: Model): string[] {
  return Object.entries(derive).flatMap(([typeName, functions]) => {
    const type = objectType(model, typeName)
    if (!type) return [`derive.${typeName}: no type that holds data has this name.${didYouMean(typeName, [...model.documents.keys(), ...model.contained.keys()])}`]
    const names = [...type.fields.values()].filter((field) => isStored(field, 'derived')).map(({ name }) => name)
    return Object.keys(functions ?? {}).filter((name) => !names.includes(name)).map((name) => {
      if (type.fields.has(name)) return `${typeName}.${name}: derive has a function for it, but the field is not @derived. Declare it @derived, or remove the function.`
      return `derive.${typeName}.${name}: ${typeName} has no field ${name}.${didYouMean(name, names) || ' Declare it @derived, or remove the function.'}`
    })
  })
}
