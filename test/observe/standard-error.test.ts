// Lines of the log on standard error: all of them, whole and in order, however slowly a pipe is read, and also when the process ends.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'quire-log-'))
afterAll(() => rmSync(folder, { recursive: true }))

const count = 4000

/** Writes more than a pipe holds, and ends in some way. */
const writing = (end: string): string => `
  import { standardError, standardErrorWritten } from './src/observe/log/standard-error.ts'
  for (let at = 0; at < ${count}; at++) standardError().write(JSON.stringify({ at, text: 'ä'.repeat(at % 200) }) + '\\n')
  ${end}`

function start(end: string, stderr: 'pipe' | number) {
  return spawn(process.execPath, ['--input-type=module-typescript', '--disable-warning=ExperimentalWarning', '-e', writing(end)], { stdio: ['ignore', 'ignore', stderr] })
}

/** Of the lines of JSON: Node reports errors here, too. */
function numbersIn(log: string): number[] {
  return log.split('\n').filter((line) => line.startsWith('{')).map((line) => (JSON.parse(line) as { at: number }).at)
}

const all = Array.from({ length: count }, (_, at) => at)

test('a file has all lines when the process ends, whichever way', async () => {
  for (const [at, end] of ['', 'process.exit(3)', 'throw new Error()'].entries()) {
    const file = join(folder, `${at}.log`)
    const fd = openSync(file, 'w')
    await once(start(end, fd), 'close')
    closeSync(fd)
    expect(numbersIn(readFileSync(file, 'utf8'))).toEqual(all)
  }
})

test('a pipe has all lines if the process waits for them, also when its reader begins late', async () => {
  const child = start('await standardErrorWritten(30_000); process.exit(0)', 'pipe')
  child.stderr!.pause()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(numbersIn(await text(child.stderr!))).toEqual(all)
})

test('without a reader, the process does not wait longer than it was told to', async () => {
  const child = start('await standardErrorWritten(50); process.exit(4)', 'pipe')
  child.stderr!.destroy()
  expect(await once(child, 'exit')).toEqual([4, null])
})

test('a process that ends suddenly leaves whole lines, in order, up to where it was', async () => {
  const child = start('setTimeout(() => process.exit(5), 100)', 'pipe')
  const log = await text(child.stderr!)
  expect(numbersIn(log)).toEqual(all.slice(0, numbersIn(log).length))
})
