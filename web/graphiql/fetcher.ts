// How the page asks the gateway: always with an account, and with the session of the last mutation, so
// that one sees what one wrote. A query that copies helped to answer is asked again without them, because
// what batching alone would have cost can only be known by doing it.

import type { Fetcher, FetcherOpts, FetcherParams, FetcherReturnType } from '@graphiql/toolkit'
import { Kind, parse, type ExecutionResult, type OperationDefinitionNode } from 'graphql'
import type { CostReport } from '../../src/observe/cost-report.ts'
import { events } from './events.ts'
import { everythingLookedUp } from './looked-up.ts'
import type { Batched, Report, Runs } from './runs.ts'

export function createFetcher(runs: Runs, naive: boolean): Fetcher {
  let session: string | undefined

  async function post(params: FetcherParams, headers: Record<string, unknown> = {}): Promise<Response> {
    const response = await fetch('/graphql', {
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
      throw new Error('The gateway does not answer. Is it still running?')
    })
    session = response.headers.get('quire-session') ?? session
    return response
  }

  async function run(params: FetcherParams, { headers }: FetcherOpts, kind: string | undefined, report: Report): Promise<Awaited<FetcherReturnType>> {
    const response = await post(params, headers)
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return reported(events(response), report)
    const result = await resultOf(response)
    answered(result, report)
    const account = accountOf(result)
    if (!account) return result
    const known = knownBatched(account, kind, naive)
    report({ batched: known ?? { state: 'running' } })
    if (!known) void measured(params, headers).then((batched) => report({ batched }))
    return result
  }

  async function measured(params: FetcherParams, headers: Record<string, unknown> | undefined): Promise<Batched> {
    try {
      const again = accountOf(await resultOf(await post({ ...params, query: everythingLookedUp(params.query) }, headers)))
      if (again) return { state: 'measured', made: again.made }
    } catch {
      // Said below, whatever it was.
    }
    return { state: 'not run', because: 'it could not be run a second time' }
  }

  return (given, options = {}) => {
    if (given.operationName === 'IntrospectionQuery') return post(given).then(resultOf)
    const { params, operation } = settled(given)
    const report = runs.begin(params.query, params.operationName ?? undefined)
    return run(params, options, operation?.operation, report).catch((error: unknown) => {
      report({ state: 'unreachable', account: undefined, problems: [{ message: (error as Error).message, code: undefined }] })
      throw error
    })
  }
}

/** GraphiQL learns the names of operations a moment after their text: right after changing tabs it may still give an old one. */
function settled(params: FetcherParams): { params: FetcherParams; operation: OperationDefinitionNode | undefined } {
  const operations = operationsIn(params.query)
  const operation = operations.find(({ name }) => name?.value === params.operationName) ?? (operations.length === 1 ? operations[0] : undefined)
  return { params: operation ? { ...params, operationName: operation.name?.value ?? null } : params, operation }
}

function operationsIn(text: string): OperationDefinitionNode[] {
  try {
    return parse(text).definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  } catch {
    // The gateway says it better.
    return []
  }
}

/** The batched run, where there is no need for one, or no way. */
function knownBatched({ relations, saved, made }: CostReport, kind: string | undefined, naive: boolean): Batched | undefined {
  if (naive) return { state: 'not run', because: 'this gateway was started to go the naive way' }
  if (kind !== 'query') return { state: 'not run', because: 'a mutation that runs twice writes twice' }
  const copies = saved.bySnapshots > 0 || relations.some(({ from, resolved }) => from === 'SNAPSHOT' && resolved > 0)
  return copies ? undefined : { state: 'same', made }
}

/** Each event of a subscription is an answer to the panel too. */
function reported(results: AsyncGenerator<ExecutionResult>, report: Report): AsyncGenerator<ExecutionResult> {
  const next = results.next.bind(results)
  return Object.assign(results, {
    async next() {
      const event = await next()
      if (!event.done) answered(event.value, report)
      report({ batched: { state: 'not run', because: 'a subscription has no end to compare' } })
      return event
    },
  })
}

function answered(result: ExecutionResult, report: Report): void {
  const problems = (result.errors ?? []).map(({ message, extensions }) => ({ message, code: extensions?.['code'] as string | undefined }))
  report({ state: 'answered', account: accountOf(result), problems })
}

function accountOf({ extensions }: ExecutionResult): CostReport | undefined {
  return extensions?.['quire'] as CostReport | undefined
}

async function resultOf(response: Response): Promise<ExecutionResult> {
  try {
    return (await response.json()) as ExecutionResult
  } catch {
    throw new Error(`The gateway answered with status ${response.status} and without JSON.`)
  }
}
