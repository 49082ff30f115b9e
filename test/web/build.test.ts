// When the pages are built: only if something they are made of has changed, and never at the expense of
// starting without them.

import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let copy: string
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'quire-build-'))
  cpSync('web', join(copy, 'web'), { recursive: true })
  cpSync('package-lock.json', join(copy, 'package-lock.json'))
  cpSync('package.json', join(copy, 'package.json'))
})
afterEach(() => rmSync(copy, { recursive: true }))

/** Away from node_modules, so that it can say that it wants to build, but not do it. */
function build(env: Record<string, string> = {}, ...given: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['web/build.js', ...given], { cwd: copy, env: { ...process.env, NODE_ENV: '', ...env }, encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}`.trim() }
}

const wantsTo = { status: 1, said: 'GraphiQL cannot be built: the packages it is built from are not installed. Run "npm ci --include=dev". Everything else works without it.' }
const hasNothingToDo = { status: 0, said: '' }

test('pages that are up to date are left alone', () => {
  expect(build()).toEqual(hasNothingToDo)
})

test.each(['web/theme.css', 'web/bundle.ts', 'web/graphiql/index.html', 'web/graphiql/panel/panel.tsx', 'package-lock.json'])('pages older than %s are built', (file) => {
  appendFileSync(join(copy, file), '\n')
  expect(build()).toEqual(wantsTo)
})

test('missing pages are built, but not for production, which has none', () => {
  rmSync(join(copy, 'web/dist'), { recursive: true })
  expect(build()).toEqual(wantsTo)
  expect(build({ NODE_ENV: 'production' })).toEqual(hasNothingToDo)
})

test('a start goes on without them', () => {
  rmSync(join(copy, 'web/dist'), { recursive: true })
  expect(build({}, '--if-possible')).toEqual({ ...wantsTo, status: 0 })
})

test('what only the landing page needs builds nothing', () => {
  appendFileSync(join(copy, 'web/landing/landing.css'), '\n')
  expect(build()).toEqual(hasNothingToDo)
})
