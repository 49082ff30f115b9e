// Two tiers, told apart by a file's name. `npm test` runs every test except `*.slow.test.ts`. `npm run test:slow` runs
// `*.slow.test.ts` (kills, hostile requests, images, browsers, real data) and the most telling of `*.random.test.ts` once more with more examples;
// if RUNS is set, all of them with RUNS times as many.

import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { relayTags } from './examples/clients/relay/relay-tags.ts'

const require = createRequire(import.meta.url)

// Where this run packs the package, if one of its tests needs it: test/package/packed.ts.
process.env['PACKED'] ??= join(tmpdir(), `quire-packed-${process.pid}-${Date.now()}`)

// Where this run has a PostgreSQL server, if one of its tests needs it: test/store/postgres/local.ts.
process.env['POSTGRES_FOLDER'] ??= join(tmpdir(), `quire-postgres-${process.pid}-${Date.now()}`)

const fast = { include: ['test/**/*.test.ts'], exclude: [...configDefaults.exclude, '**/*.slow.test.ts'], globalSetup: 'test/setup.ts', env: { RUNS: process.env['RUNS'] ?? '0.4' } }
/** Random tests that compare whole gateways: with plain reads, with a model of what was written, with GraphQL.js, with a store of one tenant, and with what a viewer may read. */
const telling = ['random/all-ways-agree', 'feed/model-based', 'execute/compiled/equivalence', 'tenants/only-their-own', 'auth/every-way'].map((name) => `test/${name}.random.test.ts`)
const slow = {
  include: ['test/**/*.slow.test.ts', ...(process.env['RUNS'] ? ['test/**/*.random.test.ts'] : telling)],
  globalSetup: ['test/setup.ts', 'test/browser/setup.ts'], env: { RUNS: process.env['RUNS'] ?? '1' },
}

export default defineConfig(({ mode }) => ({
  // Tests would load graphql's ES module and libraries its CommonJS build, and graphql rejects a mix of both. The alias
  // makes all of them load the same one.
  resolve: { alias: [{ find: /^graphql$/, replacement: require.resolve('graphql') }] },
  plugins: [relayTags()],
  test: {
    ...(mode === 'slow' ? slow : fast),
    // One worker for each core of a small machine: most tests compute as much as they wait. On an account or an emulator elsewhere, which is named by
    // its endpoint, tests share containers: one after the other.
    maxWorkers: process.env['COSMOS_ENDPOINT'] ? 1 : 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // src/http/stray-rejections.ts explains which rejections these are and why nothing handles them.
    onUnhandledError: (error) => (error.name === 'GraphQLError' && 'path' in error ? false : undefined),
  },
}))
