// Commands on a store that tenants share: commands about one tenant's documents need its name, and a check
// covers all tenants.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quire, type Ran } from '../cli/quire.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-tenants-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]): Promise<Ran> => quire(args, { cwd: folder, env: { QUIRE_STORE: 'sqlite:shared.db', QUIRE_TENANTS: 'tenant' } })

test('each tenant is seeded separately, all are checked, and none is guessed', async () => {
  expect(await run('seed', '20')).toEqual({ code: 2, out: [], err: [expect.stringContaining('--tenant NAME')] })
  expect((await run('seed', '20', '--tenant', '')).err).toEqual(['--tenant is "". Give 1 to 256 bytes of text without control characters.'])
  const [first] = (await run('seed', '20', '--tenant', 'acme', '--json')).out
  const { written } = JSON.parse(first!) as { written: number }
  expect(written).toBeGreaterThan(20)
  // The same ids for the other tenant, for whom none existed.
  expect((await run('seed', '20', '--tenant', 'zenith', '--json')).out).toEqual([JSON.stringify({ written, there: 0, ended: true })])
  expect((await run('seed', '20', '--tenant', 'zenith', '--json')).out).toEqual([JSON.stringify({ written: 0, there: written, ended: true })])
  const checked = await run('check', '--json')
  expect(checked.code).toBe(0)
  expect((JSON.parse(checked.out.at(-1)!) as { documents: number }).documents).toBeGreaterThanOrEqual(2 * 20)

  writeFileSync(join(folder, 'count.graphql'), '{ books(first: 3) { nodes { name } totalCount } }')
  expect((await run('explain', 'count.graphql', '--store')).err[0]).toContain('--tenant NAME')
  expect((await run('explain', 'count.graphql', '--store', '--tenant', 'acme')).code).toBe(0)
  expect((await run('dead-letters')).out).toEqual(['There are no dead letters.'])
}, 60_000)

test('--tenant is refused without tenancy, and a shared store is not opened without it', async () => {
  const alone = await quire(['seed', '1', '--tenant', 'acme'], { cwd: folder, env: { QUIRE_STORE: 'sqlite:alone.db' } })
  expect(alone).toEqual({ code: 2, out: [], err: [expect.stringMatching(/^--tenant is "acme".* QUIRE_TENANTS/)] })
  const { code, err } = await quire(['check'], { cwd: folder, env: { QUIRE_STORE: 'sqlite:shared.db' } })
  expect(code).toBe(2)
  expect(err[0]).toMatch(/^The container "\w+" was created for tenants, and tenancy is off\. Turn it on \(QUIRE_TENANTS\)/)
}, 60_000)
