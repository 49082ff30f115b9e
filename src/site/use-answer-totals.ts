// Counts every answer that Yoga gives, with its cost report if it has one.

import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { CostReport } from '../observe/cost-report.ts'
import type { AnswerTotals } from './answer-totals.ts'

export function useAnswerTotals(totals: AnswerTotals): Plugin {
  return {
    onResultProcess({ result }) {
      const { errors, extensions } = result as ExecutionResult
      totals.count((errors?.length ?? 0) > 0, extensions?.['quire'] as CostReport | undefined)
    },
  }
}
