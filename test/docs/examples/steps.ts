// The operations of a page, each with the blocks that belong to it: variables and headers above it, the answer below.

import type { Fence } from './fences.ts'
import { hasOperations } from './operations.ts'

export interface Step {
  readonly operation: Fence
  readonly variables: Fence | undefined
  readonly headers: Fence | undefined
  readonly result: Fence | undefined
}

export function stepsOf(fences: readonly Fence[]): Step[] {
  return fences.flatMap((operation, index) => {
    if (!isOperation(operation)) return []
    const before = fences.slice(fences.findLastIndex((fence, at) => at < index && isOperation(fence)) + 1, index)
    const result = fences[index + 1]
    return [{
      operation,
      variables: before.find(({ words }) => words.includes('variables')),
      headers: before.find(({ words }) => words.includes('headers')),
      result: result && isResult(result) ? result : undefined,
    }]
  })
}

function isOperation(fence: Fence): boolean {
  return fence.language === 'graphql' && fence.notRun === undefined && !fence.generated && hasOperations(fence)
}

export function isResult({ language, words }: Fence): boolean {
  return language === 'json' && words.includes('result')
}
