// The reader of system call traces: it reports an answer that was sent before the log was synced.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { missingTools } from '../../reliability/durability/missing-tools.ts'
import { readTrace } from '../../reliability/durability/trace.ts'

test('a missing strace is reported with the command that installs it', () => {
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
    ['is not written', [read, sync, answer], 'received'],
    ['is not the one that is synced', [read, write, '7 fsync(17</data/a.db>) = 0', answer], 'written'],
  ])('in which the log %s is not', (_, lines, reached) => {
    expect(traced(...lines)).toMatchObject({ inOrder: [], tooEarly: [`word1 was answered when it was only ${reached}`] })
  })

  test('with a call that another thread interrupts is read as one call', () => {
    const [begun, ended] = ['7 fsync(18</data/a.db-wal> <unfinished ...>', '7 <... fsync resumed>)           = 0']
    expect(traced(read, write, begun, '8 fsync(3</data/other>) = 0', ended, answer)).toMatchObject({ inOrder: ['word1'] })
    expect(traced(read, write, begun, answer, ended)).toMatchObject({ inOrder: [] })
  })
})
