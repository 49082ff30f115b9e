// The validation rules that can find something wrong with a document. Most documents have no variables, no fragments or no
// directives, and then a third to a half of GraphQL's rules has nothing to look at, but would still be asked at every node.

import {
  FragmentsOnCompositeTypesRule, Kind, KnownDirectivesRule, KnownFragmentNamesRule, KnownTypeNamesRule, LoneAnonymousOperationRule,
  ExecutableDefinitionsRule, NoFragmentCyclesRule, NoUndefinedVariablesRule, NoUnusedFragmentsRule, NoUnusedVariablesRule, OperationTypeNode,
  PossibleFragmentSpreadsRule, SingleFieldSubscriptionsRule, specifiedRules, UniqueDirectivesPerLocationRule, UniqueFragmentNamesRule,
  UniqueOperationNamesRule, UniqueVariableNamesRule, VariablesAreInputTypesRule, VariablesInAllowedPositionRule,
  type DocumentNode, type ValidationRule,
} from 'graphql'

export type RulesFor = (text: string, document: DocumentNode) => readonly ValidationRule[]

/** `more` are rules beside GraphQL's; they always apply. */
export function createRulesFor(more: readonly ValidationRule[]): RulesFor {
  const combinations = Array.from({ length: 16 }, (_, has) => [...specifiedRules.filter((rule) => !needs.has(rule) || (has & needs.get(rule)!) !== 0), ...more])
  return (text, document) => combinations[featuresOf(text, document)]!
}

const [variables, fragments, directives, definitions] = [1, 2, 4, 8] as const

/** What a document must have before a rule can report anything. Rules that are not listed always apply. */
const needs = new Map<ValidationRule, number>([
  ...[VariablesAreInputTypesRule, UniqueVariableNamesRule, NoUndefinedVariablesRule, NoUnusedVariablesRule, VariablesInAllowedPositionRule].map((rule) => [rule, variables] as const),
  ...[FragmentsOnCompositeTypesRule, UniqueFragmentNamesRule, KnownFragmentNamesRule, NoUnusedFragmentsRule, PossibleFragmentSpreadsRule, NoFragmentCyclesRule].map((rule) => [rule, fragments | definitions] as const),
  [KnownTypeNamesRule, variables | fragments | definitions],
  ...[KnownDirectivesRule, UniqueDirectivesPerLocationRule].map((rule) => [rule, directives] as const),
  ...[ExecutableDefinitionsRule, UniqueOperationNamesRule, LoneAnonymousOperationRule, SingleFieldSubscriptionsRule].map((rule) => [rule, definitions] as const),
])

/** What cannot be told to be absent at a glance counts as present. */
function featuresOf(text: string, { definitions: [definition, ...others] }: DocumentNode): number {
  const isAlone = others.length === 0 && definition?.kind === Kind.OPERATION_DEFINITION && definition.operation !== OperationTypeNode.SUBSCRIPTION
  return (text.includes('$') ? variables : 0) | (text.includes('...') ? fragments : 0) | (text.includes('@') ? directives : 0) | (isAlone ? 0 : definitions)
}
