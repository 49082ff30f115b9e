// What one operation cost, as a gateway accounts for it.

import type { CostReport } from '../../observe/cost-report.ts'
import type { Gateway } from '../../gateway.ts'

export interface Measured {
  readonly roundTrips: number
  readonly waves: number
  readonly requestCharge: number
  /** How many documents were written. */
  readonly written: number
}

export interface Sent {
  readonly query: string
  readonly operationName?: string
  readonly variables?: object
}

/** Undefined where there is no account: the operation did not run at all. */
export async function measure(gateway: Gateway, sent: Sent): Promise<{ cost: Measured | undefined; errors: readonly string[] }> {
  const response = await gateway.fetch('http://quire/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'quire-trace': '1' },
    body: JSON.stringify(sent),
  })
  const { errors = [], extensions } = (await response.json()) as { errors?: readonly { message: string }[]; extensions?: { quire?: CostReport } }
  return { cost: extensions?.quire && costOf(extensions.quire), errors: errors.map(({ message }) => message) }
}

function costOf({ made, calls }: CostReport): Measured {
  return { ...made, written: calls.filter(({ operation }) => operation === 'write').reduce((sum, { keys }) => sum + keys, 0) }
}
