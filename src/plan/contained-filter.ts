// Filters by values inside of documents, as conditions: of an object by the path to each value, of the objects of a list by a
// condition that one element meets. A missing object counts as one without values.

import type { Filterable } from '../model/api/filters.ts'
import type { ContainedFilterable, ContainedShape } from '../model/contained-fields.ts'
import { storedPath, type ContainedType, type Field } from '../model/model.ts'
import { conjuncts } from '../store/conditions.ts'
import type { Condition, Path } from '../store/query.ts'
import type { FilterInput } from './filter.ts'

/** Objects that documents can be filtered by. */
export interface ContainedFilter {
  readonly field: Field
  /** The type of a member of a union, whose rules apply. */
  readonly member: ContainedType | undefined
  /** The path of the list, where it is one; the paths below then begin at an element. */
  readonly list: Path | undefined
  /** The value that a member of a union has and others do not. */
  readonly has: Path | undefined
  readonly filters: ReadonlyMap<string, Filterable>
  readonly inner: ReadonlyMap<string, ContainedFilter>
}

/** By the names of the fields. `pathOf` is where a field of the document is. */
export function containedFilters(filterables: readonly ContainedFilterable[], pathOf: (filterable: ContainedFilterable) => Path): Map<string, ContainedFilter> {
  return new Map(filterables.map((filterable) => {
    const { field, many, shapes, isUnion } = filterable
    const base = many ? [] : pathOf(filterable)
    const of = (shape: ContainedShape): Pick<ContainedFilter, 'filters' | 'inner'> => ({
      filters: new Map(shape.leaves.map((leaf) => [leaf.name, { name: leaf.name, field: leaf, description: '', scalar: leaf.target, many: false, path: [...base, ...storedPath(leaf)!], numeric: false }])),
      inner: containedFilters(shape.inner, ({ at }) => [...base, at]),
    })
    const members = new Map(shapes.map((shape) => [shape.name, { field, member: shape.type, list: undefined, has: [...base, shape.type.has!], ...of(shape) }]))
    const contents = isUnion ? { filters: new Map<string, Filterable>(), inner: members } : of(shapes[0]!)
    return [field.name, { field, member: undefined, list: many ? pathOf(filterable) : undefined, has: undefined, ...contents }]
  }))
}

/** `conditionOn` is the condition that an input makes of the values of one object. */
export function containedCondition({ list, has }: ContainedFilter, given: Readonly<Record<string, FilterInput | null | undefined>>, conditionOn: (input: FilterInput) => Condition): Condition {
  if (list) return quantifiedCondition(list, given, conditionOn)
  const condition = conditionOn(given)
  return has ? { op: 'and', conditions: [{ op: 'not', condition: { op: 'eq', path: has, value: null } }, condition] } : condition
}

/** What `some`, `none` and `every` say of the elements of a list. */
export function quantifiedCondition(list: Path, { some, none, every }: Readonly<Record<string, FilterInput | null | undefined>>, conditionOn: (input: FilterInput) => Condition): Condition {
  return {
    op: 'and', conditions: [
      ...(some ? [someOf(list, conditionOn(some))] : []),
      ...(none ? [not(someOf(list, conditionOn(none)))] : []),
      ...(every ? [not(someOf(list, not(conditionOn(every))))] : []),
    ],
  }
}

/** Comparisons of any elements lead into indexes; only the condition on one and the same element is exact, where there are several. */
export function someOf(list: Path, condition: Condition): Condition {
  const indexed = conjuncts(condition).flatMap((each) => ('path' in each ? [{ ...each, path: [...list, '*', ...each.path] }] : []))
  if (indexed.length === 1 && 'path' in condition) return indexed[0]!
  return { op: 'and', conditions: [...indexed, { op: 'some', list, condition }] }
}

function not(condition: Condition): Condition {
  return { op: 'not', condition }
}
