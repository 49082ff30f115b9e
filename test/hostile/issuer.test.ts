// The issuer of the attackers' tokens: valid tokens are accepted, broken ones are not, and all of them can be
// found wherever they are written down.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { defaultClaims } from '../../src/auth/claims.ts'
import { createJwtIdentity } from '../../src/auth/jwt-identity.ts'
import { brokenCaller } from '../../reliability/hostile/callers.ts'
import { Issuer } from '../../reliability/hostile/issuer.ts'
import { Random } from '../../reliability/hostile/random.ts'
import { SecretSearch } from '../../reliability/secret-search.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-issuer-'))
const issuer = await Issuer.open(folder, '1')
const { QUIRE_JWKS: jwks = '', QUIRE_ISSUER: iss = '', QUIRE_AUDIENCE: audience = '' } = issuer.env
const identity = await createJwtIdentity({ jwks, issuer: iss, audience, claims: defaultClaims })
const viewerOf = async (header: string) => identity.viewerOf(new Headers({ authorization: header }), {})
const broken = await issuer.broken('admin', ['librarian'])
const good = await issuer.token('mallory', ['reader'])
afterAll(() => rmSync(folder, { recursive: true }))

test('a good token says who asks', async () => {
  expect(await viewerOf(`Bearer ${good}`)).toMatchObject({ id: 'mallory', roles: new Set(['reader']) })
})

describe('a broken one is refused:', () => {
  test.each(broken.map(({ what, header }) => [what, header]))('%s', async (_, header) => {
    await expect(viewerOf(header)).rejects.toMatchObject({ extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } })
  })

  test('a good one with something changed', async () => {
    for (let number = 0; number < 300; number++) {
      const { header = '', broken: what } = brokenCaller(new Random('changed', number), { mallory: good, broken: [] })
      if (what === 'changed') await expect(viewerOf(header.replace('authorization: ', ''))).rejects.toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } })
    }
  })
})

test('a token is found by what is in it, and by its beginning alone', () => {
  const searcher = new SecretSearch([issuer.secret])
  expect(searcher.leaksIn('a log', `authorization: Bearer ${good}`)).not.toEqual([])
  const [header = '', payload = ''] = good.split('.')
  expect(searcher.leaksIn('a log', `${header}.${payload.slice(0, 70)}…`)).not.toEqual([])
})
