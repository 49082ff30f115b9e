// The fields that a selection set selects of a type, as GraphQL.js collects them: through fragments that apply to the type, without
// what `@skip` and `@include` leave out. It counts every selection that it looks at, also those that do not apply.

import {
  getDirectiveValues, GraphQLIncludeDirective, GraphQLSkipDirective, isAbstractType, Kind, typeFromAST,
  type FieldNode, type FragmentDefinitionNode, type GraphQLObjectType, type GraphQLSchema, type InlineFragmentNode, type SelectionNode, type SelectionSetNode,
} from 'graphql'
import type { RequestSteps } from './request-steps.ts'

export interface CollectOptions {
  readonly schema: GraphQLSchema
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly variables: Record<string, unknown>
  readonly steps: RequestSteps
}

/** Adds the fields to `fields`, by response key. `seen` are the names of fragments that were followed already. */
export function collectFields(options: CollectOptions, type: GraphQLObjectType, { selections }: SelectionSetNode, fields: Map<string, FieldNode[]>, seen: Set<string>): void {
  const { schema, fragments, variables, steps } = options
  for (const selection of selections) {
    steps.take(1, selection)
    if (!isIncluded(selection, variables)) continue
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value
      const same = fields.get(key)
      if (same) same.push(selection)
      else fields.set(key, [selection])
      continue
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : unseen(selection.name.value, fragments, seen)
    if (fragment && applies(fragment, type, schema)) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) seen.add(selection.name.value)
      collectFields(options, type, fragment.selectionSet, fields, seen)
    }
  }
}

function unseen(name: string, fragments: Readonly<Record<string, FragmentDefinitionNode>>, seen: ReadonlySet<string>): FragmentDefinitionNode | undefined {
  return seen.has(name) || !Object.hasOwn(fragments, name) ? undefined : fragments[name]
}

function isIncluded(selection: SelectionNode, variables: Record<string, unknown>): boolean {
  if (!selection.directives?.length) return true
  return getDirectiveValues(GraphQLSkipDirective, selection, variables)?.['if'] !== true && getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.['if'] !== false
}

function applies({ typeCondition }: FragmentDefinitionNode | InlineFragmentNode, type: GraphQLObjectType, schema: GraphQLSchema): boolean {
  if (!typeCondition || typeCondition.name.value === type.name) return true
  const condition = typeFromAST(schema, typeCondition)
  return isAbstractType(condition) && schema.isSubType(condition, type)
}
