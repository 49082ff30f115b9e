// `npm run start:postgres-local`: the whole gateway over a PostgreSQL server from npm, seeded. Everything is gone when it stops.

import { rmSync } from 'node:fs'
import { runStart } from '../../../src/cli/start.ts'
import { startPostgresServer } from './server.ts'

const server = await startPostgresServer({ durable: true })
console.log(`A PostgreSQL server listens at ${server.url}, in ${server.folder}.`)
process.env['QUIRE_STORE'] = server.url
// The server ends with this process, and does not keep it running.
server.process.unref()
server.process.stderr!.destroy()
process.once('exit', () => {
  server.process.kill('SIGQUIT')
  rmSync(server.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})
process.exitCode = await runStart(async () => process.env)
