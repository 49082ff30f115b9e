// Thousands of hostile requests over real sockets, to gateways that are processes of their own: what no answer may be,
// and what nothing may have become afterwards. `npm run reliability -- hostile` sends as many as you like.

import { beforeAll, describe, expect, test } from 'vitest'
import { findingText } from '../../reliability/hostile/findings.ts'
import { classes } from '../../reliability/hostile/grammar/index.ts'
import { runHostile, type Report } from '../../reliability/shows/hostile.ts'
import { profiles } from '../../reliability/hostile/profiles.ts'

/** The same requests in every run; SEED tries others. */
const { SEED: seed = '20261116' } = process.env
const requests = 5000

let report: Report
beforeAll(async () => {
  report = await runHostile({ requests, seed, tell: () => undefined })
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

test('every sort of request was sent, to every gateway that it is meant for', () => {
  for (const profile of profiles) {
    const { byClass } = report.attacked.get(profile.name)!
    expect(classes.filter((each) => (each.suits?.(profile) ?? true) && byClass[each.name] === undefined).filter(({ weight }) => weight > 2).map((each) => each.name)).toEqual([])
  }
})

function problemsOf(name: string): string[] {
  return report.findings.filter((finding) => finding.class === name).map((finding) => findingText(finding, seed))
}
