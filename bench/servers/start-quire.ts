// Quire with internal options.

import { join } from 'node:path'
import type { LaunchOptions } from './quire.ts'
import { startServer, type Server } from './start-server.ts'

export function startQuire(store: string, options: LaunchOptions = {}): Promise<Server> {
  return startServer({ args: [join(import.meta.dirname, 'quire.ts')], env: { QUIRE_STORE: store, BENCH_GATEWAY: JSON.stringify(options) } })
}
