// The attack finds other viewers' documents where they can be found: a gateway that keeps to no rule, and looks at no
// token, is found out by the same requests and the same judge.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { attack } from '../../reliability/hostile/attack.ts'
import { Findings } from '../../reliability/hostile/findings.ts'
import { others } from '../../reliability/hostile/grammar/others.ts'
import { tokens } from '../../reliability/hostile/grammar/tokens.ts'
import { profiles } from '../../reliability/hostile/profiles.ts'

const profile = { ...profiles.find(({ who, store }) => who === 'tokens' && store === 'memory')!, args: [join(import.meta.dirname, 'gateway-without-rules.ts')] }

test('a gateway that keeps to no rule and looks at no token is found out', async () => {
  const findings = new Findings()
  await attack({ profile, classes: [others, tokens], seed: '7', requests: 100, findings, tell: () => undefined })
  expect(findings.all.map(({ class: name, problem }) => `${name}: ${problem}`)).toEqual(expect.arrayContaining([
    "what is another's: it tells the text of another's document (plain)",
    "what is another's: people that are another's are counted",
    'broken tokens: there is data for a token that is broken',
    'broken tokens: a token that is broken (changed) is answered with 200',
  ]))
})
