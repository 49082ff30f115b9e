// A command whose reader closes the pipe ends quietly: no stack, and the exit code that it would have had.

import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startQuire } from './quire.ts'

test.each([
  ['--help'], ['help', 'check'], ['schema'], ['explain', '--help'],
])('quire %s %s', async (...args) => {
  const started = startQuire(args.filter((arg) => typeof arg === 'string'))
  // Closed before the process has printed anything, so that every write fails.
  started.stdout!.destroy()
  started.stdin!.end()
  const [err, [code]] = await Promise.all([text(started.stderr!), once(started, 'close')])
  expect({ err, code: code as unknown }).toEqual({ err: '', code: 0 })
})

test('an error is reported as before', async () => {
  const started = startQuire(['explain', 'missing.graphql'])
  started.stdout!.destroy()
  started.stdin!.end()
  const [err, [code]] = await Promise.all([text(started.stderr!), once(started, 'close')])
  expect(err).toContain('missing.graphql')
  expect(code).toBe(2)
})
