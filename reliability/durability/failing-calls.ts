// A gateway whose disk fails on demand: libfiu intercepts pwrite, fsync and fdatasync between Node's SQLite and the C library.
// Nothing else in a gateway calls them.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Server } from '../../bench/servers/start-server.ts'
import { startGateway, type GatewayChoice } from './gateways.ts'

const calls = { write: ['posix/io/rw/pwrite'], sync: ['posix/io/sync/fsync', 'posix/io/sync/fdatasync'] }

/** Linux's number for ENOSPC. */
const noSpace = 28

export interface FailingGateway extends Server {
  /** From now on this share of calls fails, at random and with a random error. */
  fail(percent: { readonly write: number; readonly sync: number }): Promise<void>
  /** Only the next sync fails. */
  failNextSync(): Promise<void>
  /** From now on the disk is full. */
  fill(): Promise<void>
  /** From now on nothing fails. */
  heal(): Promise<void>
}

export async function startFailingGateway(choice: Omit<GatewayChoice, 'under'>, folder: string): Promise<FailingGateway> {
  const prefix = join(folder, 'fiu')
  const gateway = await startGateway({ ...choice, under: ['fiu-run', '-x', '-f', prefix] })
  const control = async (commands: readonly string[]): Promise<void> => {
    await promisify(execFile)('fiu-ctrl', ['-f', prefix, ...commands.flatMap((command) => ['-c', command]), String(gateway.pid)])
  }
  return {
    ...gateway,
    fail: ({ write, sync }) => control([
      ...calls.write.map((name) => `enable_random name=${name},probability=${write / 100}`),
      ...calls.sync.map((name) => `enable_random name=${name},probability=${sync / 100}`),
    ]),
    failNextSync: () => control(['enable name=posix/io/sync/fsync,onetime']),
    fill: () => control(calls.write.map((name) => `enable name=${name},failinfo=${noSpace}`)),
    heal: () => control([...calls.write, ...calls.sync].map((name) => `disable name=${name}`)),
  }
}
