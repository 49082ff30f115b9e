// Counts every answer on its way out, with the account that it carries, if it does.

import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { CostReport } from '../observe/cost-report.ts'
import type { Numbers } from './numbers.ts'

export function useNumbers(numbers: Numbers): Plugin {
  return {
    onResultProcess({ result }) {
      const { errors, extensions } = result as ExecutionResult
      numbers.count((errors?.length ?? 0) > 0, extensions?.['quire'] as CostReport | undefined)
    },
  }
}
