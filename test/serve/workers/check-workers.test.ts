// What does not go together with several workers is refused before any of them starts.

import { expect, test } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { checkWorkers } from '../../../src/serve/workers/check-workers.ts'

test.each<[NodeJS.ProcessEnv, RegExp]>([
  [{ QUIRE_STORE: 'memory' }, /^QUIRE_WORKERS is 3: .*memory.*sqlite:PATH, postgres:.* or cosmos/],
  [{ QUIRE_STORE: 'sqlite::memory:' }, /^QUIRE_WORKERS is 3: .*memory.*sqlite:PATH, postgres:.* or cosmos/],
  [{ QUIRE_RECORD: 'workload.json' }, /^QUIRE_WORKERS is 3: QUIRE_RECORD/],
  [{ QUIRE_MOST_OPERATIONS: '2' }, /^QUIRE_WORKERS is 3: QUIRE_MOST_OPERATIONS is 2/],
])('%j', (env, problem) => {
  expect(() => checkWorkers(readConfig({ QUIRE_WORKERS: '3', ...env }))).toThrow(expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(problem) as string }))
})

test.each(['sqlite:data.db', 'postgres://localhost/quire', 'cosmos'])('everything else may be served by several: %s', (store) => {
  const env = { QUIRE_STORE: store, COSMOS_ENDPOINT: 'https://cosmos.example.com', COSMOS_KEY: 'a2V5', QUIRE_WORKERS: '3', QUIRE_MOST_OPERATIONS: '3' }
  expect(() => checkWorkers(readConfig(env))).not.toThrow()
})
