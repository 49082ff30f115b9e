// The checks for an Azure account, on the protocol server: they pass, they tell when something is otherwise, and they ask little of an account.

import { expect, onTestFinished, test } from 'vitest'
import { startCosmosEmulator, type CosmosEmulator } from '../../../../src/emulator/cosmos-emulator.ts'
import { runChecks } from './run-checks.ts'

async function openServer(): Promise<CosmosEmulator> {
  const server = await startCosmosEmulator()
  onTestFinished(() => server.close())
  return server
}

test('all checks pass, with one database, three containers and less than 3,000 RU', async () => {
  const server = await openServer()
  const outcomes = await runChecks(server)
  expect(outcomes.filter(({ passed }) => !passed)).toEqual([])
  expect(outcomes.length).toBeGreaterThan(25)
  const created = server.log.filter(({ method, operation, status }) => method === 'POST' && status === 201 && (operation === 'database' || operation === 'container'))
  expect(created.map(({ operation }) => operation).toSorted()).toEqual(['container', 'container', 'container', 'database'])
  expect(server.log.reduce((sum, { charge }) => sum + charge, 0)).toBeLessThan(3000)
})

test('a service that behaves otherwise fails a check, and the others still run', async () => {
  const server = await openServer()
  server.faults.answer = ({ operation, path }) => (operation === 'read' && path.endsWith('/nobody') ? { status: 404, subStatus: 1003 } : undefined)
  const outcomes = await runChecks(server)
  expect(outcomes.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual(['a missing document is a 404 without a substatus'])
})
