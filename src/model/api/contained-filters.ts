// The inputs for filters by values inside of documents: `addresses: { some: { city: { eq: "Ulm" } } }`, `price: { amount: … }`.

import { containedFilterables, shapeOf, type ContainedFilterable, type ContainedShape } from '../contained-fields.ts'
import type { Model } from '../model.ts'
import { conditionsSdl, filterInput, quantifiedInput, quantifiedSdl } from './filters.ts'

/** The inputs of all contained types that documents can be filtered by, and the scalars that they compare. */
export function containedFiltersSdl(model: Model): { readonly sdl: readonly string[]; readonly scalars: readonly string[] } {
  const all = new Map<string, ContainedFilterable>()
  const add = (filterable: ContainedFilterable): void => {
    all.set(`${filterable.input} ${filterable.many}`, filterable)
    for (const { inner } of filterable.shapes) inner.forEach(add)
  }
  for (const type of model.documents.values()) containedFilterables(type, model).forEach(add)
  const members = new Map([...all.values()].filter(({ isUnion }) => isUnion).flatMap(({ shapes }) => shapes.map((shape) => [shape.type.name, shape] as const)))
  const single = new Map([...all.values()].filter(({ isUnion }) => !isUnion).map(({ input, shapes: [shape] }) => [input, shape!] as const))
  for (const shape of members.values()) single.set(`${shape.type.name}Filter`, shapeOf(shape.type, model))
  const unions = new Map([...all.values()].filter(({ isUnion }) => isUnion).map((filterable) => [filterable.input, filterable] as const))
  const lists = new Map([...all.values()].filter(({ many }) => many).map((filterable) => [filterable.input, filterable] as const))
  return {
    sdl: [
      ...[...single].map(([input, shape]) => conditionsSdl(input, `Conditions on one ${shape.type.name}. All given conditions must match.`, entriesOf(shape))),
      ...[...unions].map(([input, { field, shapes }]) => conditionsSdl(input, `Conditions on one ${field.target}, by what it is. All given conditions must match.`, shapes.map(({ name, type }) => `"It is of the type ${type.name}, and matches." ${name}: ${type.name}Filter`))),
      ...[...lists].map(([input, { field }]) => quantifiedSdl(quantifiedInput(input), input, `Conditions on a list of ${field.target}. All given conditions must match.`)),
    ],
    scalars: [...single.values()].flatMap(({ leaves }) => leaves.map(({ target }) => target)),
  }
}

/** The entry of a field in the filter of its holder. */
export function containedEntrySdl({ field, input, many }: ContainedFilterable): string {
  return `"Filters by what is in ${field.name}." ${field.name}: ${many ? quantifiedInput(input) : input}`
}

function entriesOf({ leaves, inner }: ContainedShape): string[] {
  return [...leaves.map(({ name, target }) => `"Filters by ${name}." ${name}: ${filterInput({ scalar: target, many: false })}`), ...inner.map(containedEntrySdl)]
}
