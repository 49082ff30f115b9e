// A gateway that starts on an account with a wrong setup prints one line, which says what is wrong and what to
// do, and exits.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { CosmosClient } from '@azure/cosmos'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

let server: CosmosEmulator
let client: CosmosClient
beforeAll(async () => {
  server = await startCosmosEmulator()
  client = new CosmosClient({ endpoint: server.endpoint, key: server.key, connectionPolicy: { enableEndpointDiscovery: false } })
})
afterAll(() => server.close())

async function start(env: Record<string, string>): Promise<{ code: unknown; lines: string[] }> {
  const { COSMOS_ENDPOINT: _, COSMOS_KEY: __, ...inherited } = process.env
  const settings = { NODE_ENV: 'production', PORT: '0', QUIRE_STORE: 'cosmos', COSMOS_ENDPOINT: server.endpoint, COSMOS_KEY: server.key, COSMOS_DATABASE: `d-${randomUUID()}` }
  const started = spawn(process.execPath, ['bin/quire.js', 'start'], { env: { ...inherited, ...settings, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  started.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(started, 'close')) as unknown[]
  return { code, lines: said.split('\n').filter((line) => line !== '') }
}

test('a wrong key', async () => {
  expect(await start({ COSMOS_KEY: Buffer.from('another').toString('base64') })).toEqual({
    code: 2, lines: [`Cosmos DB at ${server.endpoint} refused the key. Set COSMOS_KEY to a key of that account, or omit it to sign in with Entra ID.`],
  })
})

test('no key, and no identity in Entra ID', async () => {
  expect(await start({ COSMOS_KEY: '' })).toEqual({
    code: 2, lines: ['Cannot sign in to Cosmos DB: COSMOS_KEY is not set, and Entra ID finds no identity. Sign in with "az login", give the machine a managed identity, or set COSMOS_KEY.'],
  })
})

test('an endpoint that does not answer', async () => {
  const nobody = createServer().listen(0, '127.0.0.1')
  await once(nobody, 'listening')
  const endpoint = `http://127.0.0.1:${(nobody.address() as AddressInfo).port}`
  nobody.close()
  await once(nobody, 'close')
  expect(await start({ COSMOS_ENDPOINT: endpoint })).toEqual({ code: 2, lines: [`Cannot reach Cosmos DB at ${endpoint}: connect ECONNREFUSED ${endpoint.slice('http://'.length)}. Check COSMOS_ENDPOINT and the network.`] })
})

test('a missing container that may not be created', async () => {
  const { database } = await client.databases.create({ id: `d-${randomUUID()}` })
  const { code, lines } = await start({ COSMOS_DATABASE: database.id, COSMOS_CREATE: 'no' })
  expect({ code, lines: lines.length }).toEqual({ code: 2, lines: 1 })
  expect(lines[0]).toMatch(new RegExp(`^The container "\\w+" is missing in the database "${database.id}"\\. Create it with the partition key /\\w+, or let Quire create it \\(COSMOS_CREATE=yes\\)\\.$`))
})

test('a missing database that may not be created', async () => {
  expect(await start({ COSMOS_DATABASE: 'nowhere', COSMOS_CREATE: 'no' })).toEqual({
    code: 2, lines: [`The database "nowhere" is missing at ${server.endpoint}. Create it, set COSMOS_DATABASE to another, or let Quire create it (COSMOS_CREATE=yes).`],
  })
})

test('a container with another partition key than the schema declares', async () => {
  const { database } = await client.databases.create({ id: `d-${randomUUID()}` })
  await database.containers.create({ id: 'books', partitionKey: { paths: ['/isbn'] } })
  expect(await start({ COSMOS_DATABASE: database.id })).toEqual({
    code: 2, lines: ['The container "books" has the partition key /isbn, and the schema declares /bookId. Declare the container\'s partitionKey in the schema, or move the documents to a container with the declared one.'],
  })
})

test.each([
  [{ COSMOS_ENDPOINT: '' }, 'The store is cosmos, and COSMOS_ENDPOINT is not set. Give the address of the account, such as https://NAME.documents.azure.com.'],
  [{ COSMOS_ENDPOINT: 'somewhere' }, 'COSMOS_ENDPOINT is "somewhere". Give an address such as https://NAME.documents.azure.com.'],
  [{ COSMOS_DATABASE: 'a/b' }, 'COSMOS_DATABASE is "a/b". Use up to 255 characters, without / \\ ? #.'],
  [{ COSMOS_CREATE: 'maybe' }, 'COSMOS_CREATE is "maybe". Write yes to create missing containers and indexes, or no.'],
])('settings that cannot be used: %j', async (env, line) => {
  expect(await start(env)).toEqual({ code: 2, lines: [line] })
})
