// Thousands of hostile requests over real sockets, to gateways that are processes of their own: what no answer may be,
// and what nothing may have become afterwards. `npm run reliability -- hostile` sends as many as you like.

import { beforeAll, describe, expect, test } from 'vitest'
import { findingText } from '../../reliability/hostile/findings.ts'
import { classes } from '../../reliability/hostile/grammar/index.ts'
import { runHostile, type Report } from '../../reliability/scenarios/hostile.ts'
import { profiles as all } from '../../reliability/hostile/profiles.ts'

/** The same requests in every run; SEED tries others. */
const { SEED: seed = '20261116' } = process.env
const requests = 1200
/** All that know who asks, all that nobody may do everything in, and one of those in development; the show attacks the others too. */
const profiles = all.filter(({ env, store }) => env['NODE_ENV'] === 'production' || store === 'memory')

let report: Report
beforeAll(async () => {
  report = await runHostile({ requests, seed, profiles, tell: () => undefined })
  for (const [name, { slowest }] of report.attacked) console.log(`${name}: the slowest answer took ${slowest.ms.toFixed(0)} ms (${slowest.class}, ${slowest.index})`)
}, 600_000)

describe('no answer is a fault, and none tells more than it should,', () => {
  test.each(classes.map(({ name }) => name))('to %s', (name) => {
    expect(problemsOf(name)).toEqual([])
  })
})

test('afterwards every gateway is there, with the documents and prototypes that it had, and no secret is anywhere', () => {
  expect(problemsOf('afterwards')).toEqual([])
})

test('of what is somebody’s own nothing was told to anybody else, while its owners find it in every document', () => {
  for (const { name, who } of profiles) {
    const { marked, found } = report.attacked.get(name)!.others
    expect({ name, found }).toEqual({ name, found: marked })
    if (who !== 'everyone') expect(marked).toBeGreaterThan(50)
  }
})

test('requests came with valid tokens, broken tokens and no token', () => {
  for (const { name, who } of profiles) expect(Object.keys(report.attacked.get(name)!.byCaller).toSorted()).toEqual(who === 'tokens' ? ['a broken token', 'nobody', 'somebody'] : ['nobody'])
})

test('every sort of request was sent', () => {
  const sent = new Set([...report.attacked.values()].flatMap(({ byClass }) => Object.keys(byClass)))
  expect(classes.map(({ name }) => name).filter((name) => !sent.has(name))).toEqual([])
})

function problemsOf(name: string): string[] {
  return report.findings.filter((finding) => finding.class === name).map((finding) => findingText(finding, seed))
}
