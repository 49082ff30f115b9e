// The lookups that the filters of an operation take, because they say something of related documents: the part of its cost that
// depends on more than page sizes.

import { Kind, valueFromASTUntyped } from 'graphql'
import type { Declaration } from '../../relations/declaration.ts'
import { rootArguments, type RootArguments } from '../field-arguments.ts'
import type { FilterInput } from '../filter.ts'
import type { Plan, PlanNode } from '../plan.ts'
import type { RelatedCondition } from '../relation-filter.ts'

export class FilterLookups {
  readonly #lists: ReadonlyMap<string, RootArguments>

  constructor(declaration: Declaration) {
    this.#lists = new Map([...declaration.model.documents.values()].map((type) => [`Query.${type.plural}`, rootArguments(type, declaration)]))
  }

  /** Equal for requests whose filters take equally many lookups of each type. */
  name(plan: Plan, variables: Record<string, unknown>): string {
    let name = ''
    for (const node of plan.roots.values()) if (node.filtering) for (const { target } of this.of(node, variables)) name += ` ${target.name}`
    return name
  }

  of(node: PlanNode, variables: Record<string, unknown>): readonly RelatedCondition[] {
    const list = node.filtering && this.#lists.get(node.coordinate)
    const filter = list && filterOf(node, variables)
    if (!filter || !list.isRelated(filter)) return []
    try {
      return list.list({ filter }, undefined, node.filtering).related.filter(({ lookup }) => lookup)
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
