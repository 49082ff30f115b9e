// Processes that follow one container together, of which one is killed: the others tell what it did not get to checkpoint.

import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld, songs, type World } from './world.ts'

test('after a kill -9 the rest of the changes reach the other process, with a larger epoch, and none is missed', async ({ annotate }) => {
  const world = await openWorld({ partitions: 6 })
  const [victim, survivor] = [startProcess(world), startProcess(world)]
  // The other process may have started first, and have told everything before the victim got its share of the leases.
  await expect.poll(async () => {
    if (victim.told.length <= 3) await world.write(...songs(60))
    return victim.told.length
  }, { timeout: 50_000, interval: 500 }).toBeGreaterThan(3)
  victim.process.kill('SIGKILL')
  await world.write(...songs(60, 1))
  const all = () => [...victim.told, ...survivor.told]
  await expect.poll(() => new Set(all().filter(({ plays }) => plays === 1).map(({ id }) => id)).size, { timeout: 60_000 }).toBe(60)
  const tookOver = [...new Set(victim.told.map(({ leaseToken }) => leaseToken))].filter((range) => epochs(survivor.told, range).length > 0)
  expect(tookOver.length).toBeGreaterThan(0)
  for (const range of tookOver) expect(Math.max(...epochs(survivor.told, range))).toBeGreaterThan(Math.max(...epochs(victim.told, range)))
  // Within a partition key a later change is never followed by an earlier one, except where a page is told again from its beginning.
  for (const told of [victim.told, survivor.told]) for (const id of new Set(told.map((line) => line.id))) {
    const plays = told.filter((line) => line.id === id).map((line) => line.plays)
    expect(plays).toEqual(plays.toSorted((one, other) => one - other))
  }
  await annotate(`${victim.told.length} told by the killed process, ${survivor.told.length} by the other`)
})

function epochs(told: readonly Line[], range: string): number[] {
  return told.filter(({ leaseToken }) => leaseToken === range).map(({ epoch }) => epoch)
}

interface Line {
  readonly id: string
  readonly plays: number
  readonly leaseToken: string
  readonly epoch: number
}

const script = `
import { CosmosClient } from '@azure/cosmos'
import { createChangeFeedProcessor } from './src/entries/cosmos-change-feed.ts'
const client = new CosmosClient({ endpoint: process.env.ENDPOINT, key: process.env.KEY, connectionPolicy: { enableEndpointDiscovery: false } })
const database = client.database('music')
await createChangeFeedProcessor({
  container: database.container('songs'), leaseContainer: database.container('leases'), processorName: 'kill', startFrom: 'beginning',
  maxItemCount: 2, pollIntervalMs: 20, leaseDurationMs: 1500,
  async onChanges(songs, { leaseToken, epoch }) {
    for (const { id, plays } of songs) {
      console.log(JSON.stringify({ id, plays, leaseToken, epoch }))
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  },
}).start()
`

function startProcess({ server }: World): { process: ChildProcess; told: Line[] } {
  const started = spawn(process.execPath, ['--input-type=module-typescript', '--disable-warning=ExperimentalWarning', '-e', script], {
    env: { ...process.env, ENDPOINT: server.endpoint, KEY: server.key }, stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void started.kill('SIGKILL'))
  const told: Line[] = []
  createInterface({ input: started.stdout }).on('line', (line) => told.push(JSON.parse(line) as Line))
  return { process: started, told }
}
