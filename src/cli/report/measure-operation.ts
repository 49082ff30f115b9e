// The cost of one operation, from the cost report of its answer.

import type { CostReport } from '../../observe/cost-report.ts'
import type { Gateway } from '../../http/gateway-server.ts'

export interface OperationCost {
  readonly roundTrips: number
  readonly waves: number
  readonly requestCharge: number
  /** Documents written. */
  readonly written: number
}

export interface Sent {
  readonly query: string
  readonly operationName?: string
  readonly variables?: object
}

/** `cost` is undefined if the operation did not run. */
export async function measureOperation(gateway: Gateway, sent: Sent): Promise<{ cost: OperationCost | undefined; errors: readonly string[] }> {
  const response = await gateway.fetch('http://quire/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'quire-trace': '1' },
    body: JSON.stringify(sent),
  })
  const { errors = [], extensions } = (await response.json()) as { errors?: readonly { message: string }[]; extensions?: { quire?: CostReport } }
  return { cost: extensions?.quire && costOf(extensions.quire), errors: errors.map(({ message }) => message) }
}

function costOf({ made, calls }: CostReport): OperationCost {
  return { ...made, written: calls.filter(({ operation }) => operation === 'write').reduce((sum, { keys }) => sum + keys, 0) }
}
