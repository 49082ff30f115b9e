// The filters and orders of a list of documents. Both exist only for indexed fields, so no query of the API reads a
// whole container to find a few documents.

import { isStored, storedPath, type DocumentType, type Field } from '../model.ts'
import { filterOperators } from '../operators.ts'
import { hasNumericIds, holdsIds, isPointer } from '../pointers.ts'

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

/** The name of a field's filter input. Of lists, only lists of ids can be filtered by. */
export function filterInput({ scalar, many }: Pick<Filterable, 'scalar' | 'many'>): string {
  return `${scalar}${many ? 'List' : ''}Filter`
}

export function filterInputSdl(filter: Pick<Filterable, 'scalar' | 'many'>): string {
  const { scalar, many } = filter
  const operators = Object.entries(filterOperators(many)).filter(([, { on }]) => on(scalar))
  return /* GraphQL */ `
    "${many ? 'A condition on a list of ids in the document. All given operators must match.' : `A condition on a value of type ${scalar}. All given operators must match.`}"
    input ${filterInput(filter)} {
      ${operators.map(([name, { description, argument }]) => `"${description}" ${name}: ${argument(scalar)}`).join(' ')}
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
}

export function orderables(type: DocumentType): Orderable[] {
  return [...type.fields.values()]
    .filter((field) => field.shape === 'one' && isStored(field, 'stored', 'counted') && isIndexed(field))
    .map((field) => ({ name: constantCase(field.name), field, ...orderOf(field) }))
}

/** How documents are ordered by a field. A count may be absent until it is first written. */
export function orderOf(field: Field): Pick<Orderable, 'path' | 'required'> {
  return { path: storedPath(field)!, required: field.required && isStored(field, 'stored') }
}

/** `writerId` for a writer, `tagIds` for tags: the name of a reference in inputs, filters and arguments. */
export function idArgument(field: Field): string {
  return `${field.singular}${field.shape === 'list' ? 'Ids' : 'Id'}`
}

/** The id and all pointers are always indexed. */
function isIndexed(field: Field): boolean {
  return field.indexed || field.name === 'id' || isPointer(field)
}

function constantCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()
}
