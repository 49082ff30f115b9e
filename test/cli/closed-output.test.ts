// A reader that closes the pipe early, as in `quire --help | head -1`, ends no command with an error of its own.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const executable = join(import.meta.dirname, '../../bin/quire.js')

/** The exit code, and what it printed to standard error where that is open. */
async function withClosed(streams: readonly ('stdout' | 'stderr')[], args: readonly string[]): Promise<{ code: unknown; error: string }> {
  const child = spawn(process.execPath, [executable, ...args])
  let error = ''
  child.stderr.on('data', (text) => (error += String(text)))
  for (const name of streams) child[name].destroy()
  const [code] = (await once(child, 'close')) as unknown[]
  return { code, error }
}

test.each([
  { args: ['--help'], code: 0 },
  { args: ['help', 'check'], code: 0 },
  { args: ['schema'], code: 0 },
  { args: ['nonsense'], code: 2 },
])('quire $args ends with $code when nobody reads its output', async ({ args, code }) => {
  const withError = await withClosed(['stdout'], args)
  expect(withError).toMatchObject({ code, error: expect.not.stringContaining('EPIPE') as string })
  expect(await withClosed(['stdout', 'stderr'], args)).toMatchObject({ code })
})
