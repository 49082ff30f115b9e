// The lookups that the filters of an operation take, because they say something of related documents: the part of its cost that
// depends on more than page sizes.

import { Kind, valueFromASTUntyped } from 'graphql'
import type { Declaration } from '../../relations/declaration.ts'
import { aggregateFields } from '../aggregates.ts'
import { rootArguments } from '../field-arguments.ts'
import type { FilteredSelection, FilterInput, LookUpReasons } from '../filter.ts'
import type { Plan, PlanNode } from '../plan.ts'
import type { RelatedCondition } from '../relation-filter.ts'

/** A field with a filter. */
interface Filtered {
  readonly isRelated: (filter: FilterInput) => boolean
  readonly select: (filter: FilterInput, reasons: LookUpReasons | undefined) => FilteredSelection
}

export class FilterLookups {
  readonly #filtered: ReadonlyMap<string, Filtered>

  constructor(declaration: Declaration) {
    const lists = [...declaration.model.documents.values()].map((type): [string, Filtered] => {
      const { isRelated, list } = rootArguments(type, declaration)
      return [`Query.${type.plural}`, { isRelated, select: (filter, reasons) => list({ filter }, undefined, reasons) }]
    })
    this.#filtered = new Map([...lists, ...aggregateFields(declaration)])
  }

  /** Equal for requests whose filters take equally many lookups of each type. */
  name(plan: Plan, variables: Record<string, unknown>): string {
    let name = ''
    for (const node of plan.filtered) for (const { target } of this.of(node, variables)) name += ` ${target.name}`
    return name
  }

  of(node: PlanNode, variables: Record<string, unknown>): readonly RelatedCondition[] {
    const filtered = node.filtering && this.#filtered.get(node.coordinate)
    const filter = filtered && filterOf(node, variables)
    if (!filter || !filtered.isRelated(filter)) return []
    try {
      return filtered.select(filter, node.filtering).related.filter(({ lookup }) => lookup)
    } catch {
      // It will be refused when it runs.
      return []
    }
  }
}

function filterOf({ written }: PlanNode, variables: Record<string, unknown>): FilterInput | null | undefined {
  const value = written[0]!.arguments?.find(({ name }) => name.value === 'filter')?.value
  if (value?.kind === Kind.VARIABLE) return variables[value.name.value] as FilterInput | null | undefined
  return value && (valueFromASTUntyped(value, variables) as FilterInput | null)
}
