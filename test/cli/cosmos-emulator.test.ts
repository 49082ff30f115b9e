// `quire cosmos-emulator` as a process: where it listens, and what it refuses.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CosmosClient } from '@azure/cosmos'
import { expect, test } from 'vitest'
import { linesFrom, quire, startQuire } from './quire.ts'

test('serves a plain client until a signal ends it', async () => {
  const started = startQuire(['cosmos-emulator', '--port', '0', '--partitions', '2'])
  const line = await linesFrom(started)()
  const [, endpoint, key] = /at (http:\S+), with 2 physical partitions .* Key: (\S+)$/.exec(line) ?? []
  const client = new CosmosClient({ endpoint: endpoint!, key: key! })
  const { database } = await client.databases.create({ id: 'zoo' })
  const { container } = await database.containers.create({ id: 'beasts', partitionKey: { paths: ['/id'] } })
  await container.items.create({ id: 'rex' })
  expect((await container.items.query('SELECT VALUE c.id FROM c').fetchAll()).resources).toEqual(['rex'])
  client.dispose()
  started.kill('SIGTERM')
  expect(await once(started, 'exit')).toEqual([0, null])
})

test('says what is wrong with an option or a port, and exits with 2', async () => {
  const taken = createServer()
  await once(taken.listen(0, '127.0.0.1'), 'listening')
  const { port } = taken.address() as AddressInfo
  expect(await quire(['cosmos-emulator', '--port', String(port)])).toMatchObject({ code: 2, err: [expect.stringContaining(`Port ${port} is in use.`)] })
  taken.close()
  for (const [option, value] of [['--partitions', '0'], ['--port', 'x'], ['--throttle', '2'], ['--latency', '']] as const) {
    expect(await quire(['cosmos-emulator', option, value])).toMatchObject({ code: 2, err: [expect.stringContaining(option)] })
  }
})
