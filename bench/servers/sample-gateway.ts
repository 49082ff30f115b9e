// The gateway over the sample, in this process: for what cannot be seen, or set, from outside. It makes each answer anew.

import type { Account } from '../../src/account.ts'
import { readConfig } from '../../src/config.ts'
import { openDomain } from '../../src/domain.ts'
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway.ts'

export async function openSampleGateway(options: Pick<GatewayOptions, 'store'> & Partial<GatewayOptions>): Promise<Gateway> {
  return createGateway({ ...(await openDomain(readConfig({}))), answerBytes: 0, openReads: true, ...options })
}

export interface Asked {
  readonly data?: unknown
  readonly errors?: unknown
  readonly extensions?: { readonly quire?: Account }
}

export async function askGateway(gateway: Gateway, query: string, headers: Record<string, string> = {}): Promise<Asked> {
  const response = await gateway.fetch('http://quire/graphql', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ query }) })
  const answer = (await response.json()) as Asked
  if (answer.errors) throw new Error(`An operation failed: ${JSON.stringify(answer.errors)}\n${query}`)
  return answer
}
