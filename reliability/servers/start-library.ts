// Starts the library over a new SQLite file, which is deleted when the server stops.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer, type Server } from '../../bench/servers/start-server.ts'
import { searchOutput, canarySettings } from '../canaries.ts'

export interface LibraryOptions {
  readonly lateMs?: number
  readonly env?: Record<string, string>
  readonly nodeOptions?: readonly string[]
}

export async function startLibrary({ lateMs = 0, env = {}, nodeOptions = [] }: LibraryOptions = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-reliability-'))
  const server = await startServer({
    args: [...nodeOptions, join(import.meta.dirname, 'library.ts')],
    env: { QUIRE_STORE: `sqlite:${join(folder, 'library.db')}`, RELIABILITY_LATE_MS: String(lateMs), QUIRE_LOG: 'error', ...canarySettings, ...env },
    listen: (...streams) => searchOutput('what a gateway wrote', ...streams),
  })
  return {
    ...server,
    stop: async (signal) => {
      await server.stop(signal)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
