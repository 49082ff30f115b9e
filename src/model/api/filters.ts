// The filters and orders of a list of documents. Both exist only for indexed fields, so no query of the API reads a
// whole container to find a few documents.

import { comesFrom, storedPath, targetOf, type DocumentType, type Field, type Model } from '../model.ts'
import { containedOrderables } from '../contained-fields.ts'
import { filterOperators } from '../operators.ts'
import { hasNumericIds, holdsIds, isPointer, type PointerField } from '../pointers.ts'

/** An entry of `PostFilter`: `writerId: IDFilter`. */
export interface Filterable {
  readonly name: string
  readonly field: Field
  readonly description: string
  /** The scalar or enum that is compared. */
  readonly scalar: string
  /** Whether the document has a list of values; the filter matches if one of them does. */
  readonly many: boolean
  readonly path: readonly string[]
  /** Whether the values are stored as numbers, although clients give ids. */
  readonly numeric: boolean
}

export function filterables(type: DocumentType): Filterable[] {
  return [...type.fields.values()].filter(isIndexed).map((field) => {
    const relation = holdsIds(field)
    return {
      name: relation ? idArgument(field) : field.name,
      field,
      description: relation ? `Filters by the ${field.shape === 'list' ? 'ids' : 'id'} of ${field.name}.` : `Filters by ${field.name}.`,
      scalar: relation ? 'ID' : field.target,
      many: field.shape === 'list',
      path: storedPath(field)!,
      numeric: hasNumericIds(field),
    }
  })
}

/** An entry of `PostFilter` about what a relation points at: `tags: PostTagsFilter`. */
export interface RelationFilterable {
  readonly field: PointerField
  /** The input for conditions on one target. Of a list, `some`, `none` and `every` have it. */
  readonly input: string
  readonly filters: readonly TargetFilterable[]
}

/** A field of the target that a relation can be filtered by. */
export interface TargetFilterable extends Pick<Filterable, 'name' | 'field' | 'scalar'> {
  /** In the documents of the target, where those have an index of it. */
  readonly target: Filterable | undefined
  /** Whether the holder has a copy with an index. */
  readonly copied: boolean
}

/** Filters by the fields of related documents: those that the holder has an indexed copy of, and those that the target has an index of. */
export function relationFilterables(type: DocumentType, model: Model): RelationFilterable[] {
  return [...type.fields.values()].filter(isPointer).flatMap((field) => {
    const target = targetOf(model, field)
    const copied = 'indexed' in field.storage ? field.storage.indexed : []
    const ofTarget = new Map(filterables(target).filter((each) => each.field.leaf && !each.many && each.field.name !== 'id').map((each) => [each.name, each]))
    const names = new Set([...copied, ...ofTarget.keys()])
    const filters = [...names].map((name) => {
      const found = target.fields.get(name)!
      return { name, field: found, scalar: found.target, target: ofTarget.get(name), copied: copied.includes(name) }
    })
    return filters.length === 0 ? [] : [{ field, input: `${type.name}${field.name[0]!.toUpperCase()}${field.name.slice(1)}Filter`, filters }]
  })
}

export function relationFilterSdl({ field, input, filters }: RelationFilterable): string {
  const entries = filters.map(({ name, scalar, copied }) => `"Filters by ${name}${copied ? ', which is copied' : ''}." ${name}: ${filterInput({ scalar, many: false })}`)
  const own = conditionsSdl(input, `Conditions on one ${field.target}. All given conditions must match.`, entries)
  return field.shape === 'list' ? `${own} ${quantifiedSdl(quantifiedInput(input), input, `Conditions on the ${field.name} of a document. All given conditions must match.`)}` : own
}

/** An input with these entries, and with what combines several of it. */
export function conditionsSdl(input: string, description: string, entries: readonly string[]): string {
  return /* GraphQL */ `
    "${description}"
    input ${input} {
      "All of these must match."
      and: [${input}!]
      "At least one of these must match."
      or: [${input}!]
      "This must not match."
      not: ${input}
      ${entries.join(' ')}
    }
  `
}

/** The input for conditions on a list. */
export function quantifiedSdl(name: string, input: string, description: string): string {
  return /* GraphQL */ `
    "${description}"
    input ${name} {
      ${quantifierEntries(input)}
    }
  `
}

function quantifierEntries(input: string): string {
  return `"At least one of them matches." some: ${input} "None of them matches." none: ${input} "All of them match. If there are none, that is true." every: ${input}`
}

/** The type of the entry in the holder's filter. */
export function relationFilterInput({ field, input }: RelationFilterable): string {
  return field.shape === 'list' ? quantifiedInput(input) : input
}

export function quantifiedInput(input: string): string {
  return `${input.slice(0, -'Filter'.length)}ListFilter`
}

/** The name of a field's filter input. */
export function filterInput({ scalar, many }: Pick<Filterable, 'scalar' | 'many'>): string {
  return `${scalar}${many ? 'List' : ''}Filter`
}

export function filterInputSdl(filter: Pick<Filterable, 'scalar' | 'many'>): string {
  const { scalar, many } = filter
  const operators = Object.entries(filterOperators(many)).filter(([, { on }]) => on(scalar))
  return /* GraphQL */ `
    "${many ? `A condition on a list of ${scalar === 'ID' ? 'ids' : 'values'} in the document. All given operators must match.` : `A condition on a value of type ${scalar}. All given operators must match.`}"
    input ${filterInput(filter)} {
      ${operators.map(([name, { description, argument }]) => `"${description}" ${name}: ${argument(scalar)}`).join(' ')}
      ${many && scalar !== 'ID' ? quantifierEntries(filterInput({ scalar, many: false })) : ''}
    }
  `
}

/** An entry of `PostOrderField`: `TITLE`. */
export interface Orderable {
  readonly name: string
  readonly field: Field
  readonly path: readonly string[]
  /** Whether every document has a value. */
  readonly required: boolean
  /** What `@index` calls it: `year`, or `price.amount` inside of an object. */
  readonly key: string
  /** From the field of the document to the one that is ordered by. */
  readonly trail: readonly Field[]
}

export function orderables(type: DocumentType, model: Model): Orderable[] {
  const own = [...type.fields.values()].filter((field) => field.shape === 'one' && field.leaf && comesFrom(field, 'client', 'copy', 'list') && isIndexed(field))
  return [
    ...own.map((field) => ({ name: constantCase(field.name), field, key: field.name, trail: [field], ...orderOf(field) })),
    ...containedOrderables(type, model).map(({ trail, path }) => {
      const names = trail.map(({ name }) => name)
      return { name: names.map(constantCase).join('_'), field: trail.at(-1)!, key: names.join('.'), trail, path, required: trail.every((field) => field.required) }
    }),
  ]
}

/** How documents are ordered by a field. A count may be absent until it is first written. */
export function orderOf(field: Field): Pick<Orderable, 'path' | 'required'> {
  return { path: storedPath(field)!, required: field.required && comesFrom(field, 'client', 'copy') }
}

/** `writerId` for a writer, `tagIds` for tags: the name of a reference in inputs, filters and arguments. */
export function idArgument(field: Field): string {
  return `${field.singular}${field.shape === 'list' ? 'Ids' : 'Id'}`
}

/** The id and all pointers are always indexed. */
function isIndexed(field: Field): boolean {
  return field.indexed || field.name === 'id' || isPointer(field)
}

export function constantCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
}
