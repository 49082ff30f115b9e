import { createRequire } from 'node:module'
import { defineConfig } from 'vitest/config'
import { relayTags } from './examples/clients/relay/relay-tags.ts'

const require = createRequire(import.meta.url)

export default defineConfig({
  // Tests would load graphql's ES module while the libraries load its CommonJS twin, and graphql
  // refuses to mix the two. One alias makes everyone use the same copy.
  resolve: { alias: [{ find: /^graphql$/, replacement: require.resolve('graphql') }] },
  plugins: [relayTags()],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/setup.ts',
    // One for each core of the machine that has to be quick enough: most tests wait as often as they work.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // src/http/stray-rejections.ts says which these are, and why nobody listens to them.
    onUnhandledError: (error) => (error.name === 'GraphQLError' && 'path' in error ? false : undefined),
  },
})
