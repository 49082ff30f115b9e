// One operation that GraphQL.js executes: its reads, its context, its cost report. That is every operation that is traced,
// recorded, a mutation or a subscription, and every query without compiled code.

import type { ExecutionArgs, OperationDefinitionNode } from 'graphql'
import type { Access } from '../auth/access.ts'
import type { Viewer } from '../auth/viewer.ts'
import type { ChangeEvent } from '../feed/change-stream.ts'
import { createCostReport, type CostReport } from '../observe/cost-report.ts'
import type { Observed } from '../observe/observers.ts'
import type { Recorder } from '../observe/workload/recorder.ts'
import type { Plan } from '../plan/plan.ts'
import { sessionToken } from '../plan/freshness.ts'
import { CallLog } from '../read/call-log.ts'
import type { Strategy } from '../read/loader.ts'
import { ReadLog } from '../read/read-log.ts'
import { Reads } from '../read/reads.ts'
import type { Declaration } from '../relations/declaration.ts'
import type { OperationContext } from '../store/operation-context.ts'
import { AtomicMutation } from '../write/atomic-mutation.ts'
import { createMutate } from '../write/mutations.ts'
import { AnswerSize } from './answer/answer-size.ts'
import type { AnswerLimits } from './answer/answer-too-large.ts'
import { executeAtomically } from './atomic-execution.ts'
import { observedAround, withDeadline, type Operation } from './operation.ts'
import { resolverContext } from './resolvers.ts'
import type { TenantScope } from './tenant-scope.ts'

export interface GraphqlJsOptions {
  readonly declaration: Declaration
  readonly strategy: Strategy
  readonly record: Recorder | undefined
  /** Noted in by GraphQL.js while it executes, so it must be this operation's own. */
  readonly plan: Plan
  /** Whether its answer carries a cost report. */
  readonly traced: boolean
  /** Max age of snapshots when the operation began. */
  readonly boundMs: number
  readonly scope: TenantScope
  readonly access: Access | undefined
  readonly viewer: Viewer | undefined
  readonly observed: Observed | undefined
  readonly operationContext: OperationContext
  readonly limits: AnswerLimits
  /** The operation, if it is `mutation @atomic`. */
  readonly atomically?: OperationDefinitionNode | undefined
}

/** Operation as returned here always has headers and a deadline. */
export type GraphqlJsOperation = Operation & Required<Pick<Operation, 'headers' | 'withDeadline'>>

export function graphqlJsOperation({ declaration, strategy, record, plan, traced, boundMs, scope, access, viewer, observed, operationContext, limits, atomically }: GraphqlJsOptions): GraphqlJsOperation {
  const { store, writer } = scope
  const readLog = traced || record ? new ReadLog() : undefined
  const calls = readLog ?? (observed?.isTold ? new CallLog() : undefined)
  const reads = new Reads(store, strategy, readLog, calls, access)
  const size = new AnswerSize({ limits, plan, reads, stop: (error) => operationContext.stop(error) })
  let written: number | undefined
  const onWritten = async (): Promise<unknown> => (written = (await store.position()).latest)
  const atomic = atomically && new AtomicMutation(writer, reads, onWritten)
  const context = resolverContext(scope, viewer, plan, reads, size, atomic?.mutate ?? createMutate(writer, reads, onWritten))
  const begunAt = traced ? store.moment() : undefined
  return {
    ...observedAround(observed),
    withDeadline: withDeadline(operationContext, plan, limits),
    ...(atomic ? { execute: (args: ExecutionArgs) => executeAtomically(args, atomically, plan) } : {}),
    context: atomic ? { quire: { ...context.quire, atomic } } : context,
    headers: () => (written === undefined ? {} : { 'quire-session': sessionToken(written) }),
    end: ({ errors = [], data }, event) => {
      if (readLog) record?.operation(declaration, plan, readLog, strategy === 'naive')
      const report = traced && readLog ? createCostReport(readLog, plan, store, boundMs, written === undefined ? begunAt : undefined) : undefined
      const tell = observed?.isTold ? ((known?: CostReport) => observed.end({ rows: () => plan.rows(), calls: calls!.calls, errors, answered: Boolean(data), costReport: known })) : undefined
      // The observer is told before the answer goes out, with the cost report if there is one.
      if (!report) tell?.()
      else if (tell) report.then(tell, () => tell())
      return extensionsOf(report, event as Partial<ChangeEvent> | undefined)
    },
  }
}

/** The cost report, where the operation is traced, the cursor of an event, and whether its subscriber is behind. */
function extensionsOf(report: Promise<object> | undefined, event: Partial<ChangeEvent> | undefined): Promise<Record<string, unknown>> | undefined {
  if (!event?.cursor) return report?.then((quire) => ({ quire }))
  return Promise.resolve(report).then((quire) => ({ quire: { ...quire, cursor: event.cursor, ...(event.behind ? { behind: true } : {}) } }))
}
