// The disk confirms a write before Quire acknowledges it, as system call traces of real gateways and commands show.
// trace.test.ts tests the reader of the traces.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../../reliability/scenarios/fsync.ts'
import { missingTools } from '../../reliability/durability/missing-tools.ts'

const missing = missingTools(['strace'])

test.skipIf(missing !== undefined)(`every mutation is acknowledged after a sync of the log that holds it${missing ? ` (skipped: ${missing})` : ''}`, async () => {
  const { held, figures } = await run({ single: 10, together: 40, clients: 8 })
  expect(held, figures).toBe(true)
}, 300_000)

test.skipIf(missing !== undefined)(`"quire seed" reports documents only when they and their new folders are on disk${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quire-seeded-')))
  const file = join(folder, 'new', 'deeper', 'library.db')
  const output = join(folder, 'trace')
  const options = ['-f', '-y', '-s', '40', '-e', 'trace=write,pwrite64,fsync,fdatasync', '-o', output]
  const { status } = spawnSync('strace', [...options, process.execPath, 'bin/quire.js', 'seed', '20'], { env: { ...process.env, QUIRE_STORE: `sqlite:${file}` } })
  const trace = readFileSync(output, 'latin1')
  rmSync(folder, { recursive: true })
  const [before] = trace.split('documents written')
  const synced = new Set([...before!.matchAll(/f(?:data)?sync\(\d+<(.+?)>/g)].map(([, path]) => path))
  expect(status).toBe(0)
  expect(before).not.toBe(trace)
  expect([folder, join(folder, 'new'), join(folder, 'new', 'deeper')].filter((each) => !synced.has(each))).toEqual([])
  for (const each of [file, `${file}-wal`]) expect(before!.lastIndexOf(`sync(${fdOf(before!, each)}`)).toBeGreaterThan(before!.lastIndexOf(`pwrite64(${fdOf(before!, each)}`))
})

/** `21</data/library.db>`, as traces name it. */
function fdOf(trace: string, path: string): string {
  const at = trace.indexOf(`<${path}>`)
  return `${/\d+$/.exec(trace.slice(0, at))![0]}<${path}>`
}
