// Real gateways over a SQLite file, each in its own process: as people start them, or under a command that traces them or
// makes their system calls fail.

import { join } from 'node:path'
import { startServer, type Server } from '../../bench/servers/start-server.ts'
import { searchOutput, canarySettings } from '../canaries.ts'

export interface GatewayChoice {
  readonly file: string
  /** `development` is `quire start --development`; `production` is `quire start` with writes open. */
  readonly profile: 'development' | 'production'
  readonly effects?: 'together' | 'feed'
  /** The command that runs it, such as `strace -f`. */
  readonly under?: readonly string[]
}

const root = join(import.meta.dirname, '../..')
const programs = { development: ['bin/quire.js', 'start', '--development'], production: ['reliability/servers/everything-open.ts'] }

/** Shared by all starts, so that Node compiles once. A killed gateway writes nothing there: see warmUp. */
const compileCache = join(root, 'node_modules', '.cache', 'quire')

/** Starts one gateway of each profile and shuts it down in order, which fills the compile cache for the next ones. */
export async function warmUp(file: string): Promise<void> {
  for (const profile of ['development', 'production'] as const) await (await startGateway({ file, profile })).stop('SIGTERM')
}

export function startGateway({ file, profile, effects = 'together', under = [] }: GatewayChoice): Promise<Server> {
  return startServer({
    args: programs[profile],
    cwd: root,
    under,
    env: { NODE_ENV: profile === 'production' ? 'production' : '', QUIRE_EFFECTS: effects, QUIRE_STORE: `sqlite:${file}`, QUIRE_LOG: 'debug', NODE_COMPILE_CACHE: compileCache, ...canarySettings },
    listen: (...streams) => searchOutput('what a gateway wrote', ...streams),
  })
}
