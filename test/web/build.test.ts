// When GraphiQL's page and the documentation are built: only if their sources changed. `npm start` works without it.

import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let copy: string
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'quire-build-'))
  for (const folder of ['web', 'docs', 'bench/results']) cpSync(folder, join(copy, folder), { recursive: true })
  cpSync('package-lock.json', join(copy, 'package-lock.json'))
  cpSync('package.json', join(copy, 'package.json'))
})
afterEach(() => rmSync(copy, { recursive: true }))

/** Runs without node_modules, so that a build is attempted and fails. */
function build(env: Record<string, string> = {}, ...given: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['web/build.js', ...given], { cwd: copy, env: { ...process.env, NODE_ENV: '', ...env }, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}`.trim() }
}

const failed = (...pages: string[]) => ({ status: 1, output: pages.map((page) => `Cannot build ${page}: its packages are not installed. Run "npm ci --include=dev". Everything else works without it.`).join('\n') })
const buildFails = failed('GraphiQL')
const allFail = failed('GraphiQL', 'the documentation')
const nothingToDo = { status: 0, output: '' }

test('pages that are up to date are left alone', () => {
  expect(build()).toEqual(nothingToDo)
})

test.each(['web/theme.css', 'web/bundle.ts', 'web/graphiql/index.html', 'web/graphiql/panel/panel.tsx'])('GraphiQL is built if it is older than %s', (file) => {
  appendFileSync(join(copy, file), '\n')
  expect(build()).toEqual(buildFails)
})

test.each(['web/docs/render.ts', 'docs/query.md'])('the documentation is built if it is older than %s', (file) => {
  appendFileSync(join(copy, file), '\n')
  expect(build()).toEqual(failed('the documentation'))
})

test('all pages are built for other packages', () => {
  appendFileSync(join(copy, 'package-lock.json'), '\n')
  expect(build()).toEqual(allFail)
})

test('missing pages are built, except in production', () => {
  rmSync(join(copy, 'web/dist'), { recursive: true })
  expect(build()).toEqual(allFail)
  expect(build({ NODE_ENV: 'production' })).toEqual(nothingToDo)
})

test('--if-possible succeeds without them', () => {
  rmSync(join(copy, 'web/dist'), { recursive: true })
  expect(build({}, '--if-possible')).toEqual({ ...allFail, status: 0 })
})

test('a change of the landing page builds nothing', () => {
  appendFileSync(join(copy, 'web/landing/landing.css'), '\n')
  expect(build()).toEqual(nothingToDo)
})
