// When GraphiQL's page is built: only if its sources changed. `npm start` works without it.

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

/** Runs without node_modules, so that a build is attempted and fails. */
function build(env: Record<string, string> = {}, ...given: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['web/build.js', ...given], { cwd: copy, env: { ...process.env, NODE_ENV: '', ...env }, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}`.trim() }
}

const buildFails = { status: 1, output: 'Cannot build GraphiQL: its packages are not installed. Run "npm ci --include=dev". Everything else works without it.' }
const nothingToDo = { status: 0, output: '' }

test('pages that are up to date are left alone', () => {
  expect(build()).toEqual(nothingToDo)
})

test.each(['web/theme.css', 'web/bundle.ts', 'web/graphiql/index.html', 'web/graphiql/panel/panel.tsx', 'package-lock.json'])('pages older than %s are built', (file) => {
  appendFileSync(join(copy, file), '\n')
  expect(build()).toEqual(buildFails)
})

test('missing pages are built, except in production', () => {
  rmSync(join(copy, 'web/dist'), { recursive: true })
  expect(build()).toEqual(buildFails)
  expect(build({ NODE_ENV: 'production' })).toEqual(nothingToDo)
})

test('--if-possible succeeds without them', () => {
  rmSync(join(copy, 'web/dist'), { recursive: true })
  expect(build({}, '--if-possible')).toEqual({ ...buildFails, status: 0 })
})

test('a change of the landing page builds nothing', () => {
  appendFileSync(join(copy, 'web/landing/landing.css'), '\n')
  expect(build()).toEqual(nothingToDo)
})
