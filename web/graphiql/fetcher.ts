// Sends GraphiQL's operations: always with tracing, and with the session of the last mutation, so that queries see its writes.
// A query that snapshots helped to answer runs a second time without them, to measure what batching alone costs.

import type { Fetcher, FetcherOpts, FetcherParams, FetcherReturnType } from '@graphiql/toolkit'
import { Kind, parse, type ExecutionResult, type OperationDefinitionNode } from 'graphql'
import type { CostReport } from '../../src/observe/cost-report.ts'
import { events } from './events.ts'
import { forceLookups } from './force-lookups.ts'
import type { Batched, Report, Runs } from './runs.ts'

export function createFetcher(runs: Runs, naive: boolean): Fetcher {
  let session: string | undefined

  async function post(params: FetcherParams, headers: Record<string, unknown> = {}): Promise<Response> {
    const response = await fetch(location.pathname, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json, text/event-stream',
        'quire-trace': '1',
        ...(session === undefined ? {} : { 'quire-session': session }),
        ...(headers as Record<string, string>),
      },
      body: JSON.stringify(params),
    }).catch(() => {
      throw new Error('No answer from the gateway. Is it still running?')
    })
    session = response.headers.get('quire-session') ?? session
    return response
  }

  async function run(params: FetcherParams, { headers }: FetcherOpts, kind: string | undefined, report: Report): Promise<Awaited<FetcherReturnType>> {
    const response = await post(params, headers)
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return reported(events(response), report)
    const result = await resultOf(response)
    answered(result, report)
    const costReport = costReportOf(result)
    if (!costReport) return result
    const known = knownBatched(costReport, kind, naive)
    report({ batched: known ?? { state: 'running' } })
    if (!known) void measured(params, headers).then((batched) => report({ batched }))
    return result
  }

  async function measured(params: FetcherParams, headers: Record<string, unknown> | undefined): Promise<Batched> {
    try {
      const again = costReportOf(await resultOf(await post({ ...params, query: forceLookups(params.query) }, headers)))
      if (again) return { state: 'measured', made: again.made }
    } catch {
      // Reported below, whatever the error was.
    }
    return { state: 'not run', because: 'the second run failed' }
  }

  return (given, options = {}) => {
    if (given.operationName === 'IntrospectionQuery') return post(given).then(resultOf)
    const { params, operation } = withCurrentName(given)
    const report = runs.begin(params.query, params.operationName ?? undefined)
    return run(params, options, operation?.operation, report).catch((error: unknown) => {
      report({ state: 'unreachable', costReport: undefined, problems: [{ message: (error as Error).message, code: undefined }] })
      throw error
    })
  }
}

/** GraphiQL updates the operation name a moment after the text: right after a change of tabs it may still send the old one. */
function withCurrentName(params: FetcherParams): { params: FetcherParams; operation: OperationDefinitionNode | undefined } {
  const operations = operationsIn(params.query)
  const operation = operations.find(({ name }) => name?.value === params.operationName) ?? (operations.length === 1 ? operations[0] : undefined)
  return { params: operation ? { ...params, operationName: operation.name?.value ?? null } : params, operation }
}

function operationsIn(text: string): OperationDefinitionNode[] {
  try {
    return parse(text).definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  } catch {
    // The gateway reports syntax errors.
    return []
  }
}

/** The result of the batched run, if it is not needed or not possible. */
function knownBatched({ relations, saved, made }: CostReport, kind: string | undefined, naive: boolean): Batched | undefined {
  if (naive) return { state: 'not run', because: 'this gateway runs with the naive strategy' }
  if (kind !== 'query') return { state: 'not run', because: 'running a mutation twice would write twice' }
  const usedSnapshots = saved.bySnapshots > 0 || relations.some(({ from, resolved }) => from === 'SNAPSHOT' && resolved > 0)
  return usedSnapshots ? undefined : { state: 'same', made }
}

/** Reports each event of a subscription as an answer. */
function reported(results: AsyncGenerator<ExecutionResult>, report: Report): AsyncGenerator<ExecutionResult> {
  const next = results.next.bind(results)
  return Object.assign(results, {
    async next() {
      const event = await next()
      if (!event.done) answered(event.value, report)
      report({ batched: { state: 'not run', because: 'subscriptions are not compared' } })
      return event
    },
  })
}

function answered(result: ExecutionResult, report: Report): void {
  const problems = (result.errors ?? []).map(({ message, extensions }) => ({ message, code: extensions?.['code'] as string | undefined }))
  report({ state: 'answered', costReport: costReportOf(result), problems })
}

function costReportOf({ extensions }: ExecutionResult): CostReport | undefined {
  return extensions?.['quire'] as CostReport | undefined
}

async function resultOf(response: Response): Promise<ExecutionResult> {
  try {
    return (await response.json()) as ExecutionResult
  } catch {
    throw new Error(`The gateway answered with status ${response.status}, but not with JSON.`)
  }
}
