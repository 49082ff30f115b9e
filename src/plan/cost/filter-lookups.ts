// The lookups that the filters of an operation take, because they say something of related documents: the part of its cost that
// depends on more than page sizes.

import { Kind, valueFromASTUntyped } from 'graphql'
import type { Declaration } from '../../relations/declaration.ts'
import { allFields } from '../../model/model.ts'
import { rootArguments } from '../field-arguments.ts'
import type { FilterInput, LookUpReasons } from '../filter.ts'
import { nestedList } from '../nested-list.ts'
import type { Plan, PlanNode } from '../plan.ts'
import type { RelatedCondition } from '../relation-filter.ts'

export class FilterLookups {
  readonly #lists: ReadonlyMap<string, FilteredList>

  constructor(declaration: Declaration) {
    const { model } = declaration
    const roots = [...model.documents.values()].map((type) => {
      const { list, isRelated } = rootArguments(type, declaration)
      return [`Query.${type.plural}`, { isRelated, related: (filter, reasons) => list({ filter }, undefined, reasons).related }] satisfies [string, FilteredList]
    })
    const nested = allFields(model).flatMap((field): [string, FilteredList][] => {
      const list = nestedList(field, declaration)
      return list ? [[field.coordinate, { isRelated: list.isRelated, related: (filter, reasons) => list.ask({ filter }, undefined, reasons).related }]] : []
    })
    this.#lists = new Map([...roots, ...nested])
  }

  /** Equal for requests whose filters take equally many lookups of each type. */
  name(plan: Plan, variables: Record<string, unknown>): string {
    let name = ''
    for (const node of plan.filtered) for (const { target } of this.of(node, variables)) name += ` ${target.name}`
    return name
  }

  of(node: PlanNode, variables: Record<string, unknown>): readonly RelatedCondition[] {
    const list = node.filtering && this.#lists.get(node.coordinate)
    const filter = list && filterOf(node, variables)
    if (!filter || !list.isRelated(filter)) return []
    try {
      return list.related(filter, node.filtering).filter(({ lookup }) => lookup)
    } catch {
      // It will be refused when it runs.
      return []
    }
  }
}

interface FilteredList {
  readonly isRelated: (filter: FilterInput) => boolean
  readonly related: (filter: FilterInput, reasons: LookUpReasons) => readonly RelatedCondition[]
}

function filterOf({ written }: PlanNode, variables: Record<string, unknown>): FilterInput | null | undefined {
  const value = written[0]!.arguments?.find(({ name }) => name.value === 'filter')?.value
  if (value?.kind === Kind.VARIABLE) return variables[value.name.value] as FilterInput | null | undefined
  return value && (valueFromASTUntyped(value, variables) as FilterInput | null)
}
