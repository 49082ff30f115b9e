// That the disk confirms a write before it is acknowledged, in the traces of real gateways and commands; and that a trace in
// which it is not so is found out.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from '../../reliability/shows/fsync.ts'
import { missingTools } from '../../reliability/durability/installed.ts'
import { readTrace } from '../../reliability/durability/trace.ts'

const missing = missingTools(['strace'])

test.skipIf(missing !== undefined)(`every mutation is acknowledged after a sync of the log that holds it${missing ? ` (skipped: ${missing})` : ''}`, async () => {
  const { held, figures } = await run({ single: 10, together: 40, clients: 8 })
  expect(held, figures).toBe(true)
}, 300_000)

test.skipIf(missing !== undefined)(`what "quire seed" reports is on the disk, and so are the folders that were made for it${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quire-seeded-')))
  const file = join(folder, 'new', 'deeper', 'library.db')
  const output = join(folder, 'trace')
  const options = ['-f', '-y', '-s', '40', '-e', 'trace=write,pwrite64,fsync,fdatasync', '-o', output]
  const { status } = spawnSync('strace', [...options, process.execPath, 'bin/quire.js', 'seed', '--books', '20'], { env: { ...process.env, QUIRE_STORE: `sqlite:${file}` } })
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

test('where strace is missing, it is said how to get it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-nothing-'))
  expect(missingTools(['strace'], { PATH: folder })).toBe('there is no strace. Install it (on Debian: apt-get install strace)')
  expect(missingTools(['fiu-run'], {})).toBe('there is no fiu-run. Install it (on Debian: apt-get install fiu-utils)')
  rmSync(folder, { recursive: true })
})

function traced(...lines: string[]) {
  return readTrace(lines.join('\n'), '/data/a.db', ['word1'])
}

describe('a trace', () => {
  const read = '7 read(20<socket:[1]>, "POST / word1", 65536) = 12'
  const write = '7 pwrite64(18</data/a.db-wal>, "page with word1", 4096, 32) = 4096'
  const sync = '7 fsync(18</data/a.db-wal>) = 0'
  const answer = '7 writev(20<socket:[1]>, [{iov_base="HTTP/1.1 200 OK", iov_len=15}, {iov_base="{word1}", iov_len=7}], 2) = 22'

  test('in which the log is synced before the answer is in order', () => {
    expect(traced(read, write, sync, answer)).toEqual({ inOrder: ['word1'], tooEarly: [], commits: 1 })
  })

  test.each([
    ['is not synced', [read, write, answer], 'written'],
    ['is synced after the answer', [read, write, answer, sync], 'written'],
    ['is synced before it is written', [read, sync, write, answer], 'written'],
    ['cannot be synced', [read, write, '7 fsync(18</data/a.db-wal>) = -1 EIO (Input/output error)', answer], 'written'],
    ['is not written', [read, sync, answer], 'asked'],
    ['is not the one that is synced', [read, write, '7 fsync(17</data/a.db>) = 0', answer], 'written'],
  ])('in which the log %s is not', (_, lines, reached) => {
    expect(traced(...lines)).toMatchObject({ inOrder: [], tooEarly: [`word1 was answered when it was only ${reached}`] })
  })

  test('in which another thread had its turn during a call is read as if it had not', () => {
    const [begun, ended] = ['7 fsync(18</data/a.db-wal> <unfinished ...>', '7 <... fsync resumed>)           = 0']
    expect(traced(read, write, begun, '8 fsync(3</data/other>) = 0', ended, answer)).toMatchObject({ inOrder: ['word1'] })
    expect(traced(read, write, begun, answer, ended)).toMatchObject({ inOrder: [] })
  })
})
