// An operation that holds the event loop is named: its kind in the metric, its name in the log of development.

import { afterEach, expect, test, vi } from 'vitest'
import { createLog } from '../../src/observe/log/log.ts'
import { readExposition, sampled } from './exposition.ts'
import { openZoo, type Zoo } from './zoo.ts'

let zoo: Zoo | undefined
afterEach(async () => zoo?.gateway.dispose())

test('an operation that holds the event loop is reported by its kind and its name', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'warn', readable: false, to: { write: (line: string) => lines.push(line) } })
  zoo = await openZoo({ development: true, log, derive: { Cage: { trouble: heavily } } })
  await zoo.ask('query Heavy { cage(id: "c1") { trouble } }')
  await vi.waitFor(async () => {
    const metrics = readExposition(await (await zoo!.get('/metrics')).text())
    expect(sampled(metrics, 'quire_loop_held_seconds_count', { task: 'query' })).toBeGreaterThan(0)
  }, { timeout: 20_000 })
  expect(lines.map((line) => JSON.parse(line) as Record<string, unknown>)).toContainEqual(expect.objectContaining({ operation: 'query', operationName: 'Heavy' }))
})

/** Holds the loop for several times what is allowed. */
function heavily(): string {
  const untilMs = performance.now() + 300
  while (performance.now() < untilMs);
  return 'done'
}
