// Hostile requests from a grammar of everything malformed, sent over real sockets to real gateways; every answer is judged.
// `--requests N` and `--seed S` choose how many and which; `--class NAME` and `--profile NAME` select some of them, and
// `--index N` repeats one request and prints it.

import { attack, type Attacked } from '../hostile/attack.ts'
import { besidesCaches, type Seen } from '../hostile/evidence.ts'
import { Findings, findingText, type Finding } from '../hostile/findings.ts'
import { classes } from '../hostile/grammar/index.ts'
import { profiles, type Profile } from '../hostile/profiles.ts'
import { bulletList, type Outcome } from '../scenario.ts'

/** Gateways attacked at once: one waits while the other works. */
const together = 2

export interface HostileOptions {
  readonly requests: number
  readonly seed: string
  readonly class?: string | undefined
  /** The gateways to attack. */
  readonly profiles: readonly Profile[]
  readonly index?: number | undefined
  readonly tell: (line: string) => void
}

export interface Report {
  readonly findings: readonly Finding[]
  readonly attacked: ReadonlyMap<string, Attacked>
}

/** Empty means all. */
export const defaults = { requests: 100_000, seed: '1', class: '', profile: '', index: '' }

export async function run({ requests, seed, class: name, profile, index }: typeof defaults): Promise<Outcome> {
  const options = { requests, seed, class: name || undefined, profiles: profiles.filter((each) => profile === '' || each.name === profile), index: index === '' ? undefined : Number(index), tell: (line: string) => console.log(line) }
  const { findings, attacked } = await runHostile(options)
  for (const finding of findings) console.log(`\n${findingText(finding, seed)}`)
  console.log(details(attacked))
  return { held: findings.length === 0, figures: figures(findings, attacked) }
}

export async function runHostile({ requests, seed, class: name, profiles: chosen, index, tell }: HostileOptions): Promise<Report> {
  const findings = new Findings()
  const attacked = new Map<string, Attacked>()
  const shares = chosen.reduce((sum, { share }) => sum + share, 0)
  const waiting = chosen.values()
  const attackNext = async (): Promise<void> => {
    for (const profile of waiting) {
      const startMs = performance.now()
      const count = Math.ceil((requests * profile.share) / shares)
      attacked.set(profile.name, await attack({ profile, seed, index, findings, tell, requests: count, classes: name === undefined || index !== undefined ? classes : classes.filter((each) => each.name === name) }))
      tell(`${profile.name}: ${count} requests in ${((performance.now() - startMs) / 1000).toFixed(0)} s`)
    }
  }
  await Promise.all(Array.from({ length: together }, attackNext))
  return { findings: findings.all, attacked }
}

/** All counts, for the terminal. */
function details(attacked: ReadonlyMap<string, Attacked>): string {
  const counted = (of: (one: Attacked) => Record<string, number>): string =>
    Object.entries(summed(attacked, of)).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `  ${name.padEnd(70)} ${String(count).padStart(7)}`).join('\n')
  const slowest = [...attacked].map(([name, one]) => `  ${name.padEnd(45)} ${one.slowest.ms.toFixed(0).padStart(6)} ms (${one.slowest.class}, ${one.slowest.index})`).join('\n')
  return `\nRequests by class\n${counted(({ byClass }) => byClass)}\n\nAnswers by class and code\n${counted(({ byCode }) => byCode)}\n\nThe slowest answer of each gateway\n${slowest}\n`
}

/** The figures for docs/reliability.md. */
function figures(findings: readonly Finding[], attacked: ReadonlyMap<string, Attacked>): string {
  const all = [...attacked.values()]
  const rows = [...attacked].map(([name, { others, inside: { before, once, twice } }]) => {
    const through = (of: (seen: Seen) => number): string => [before, once, twice].map((seen) => megabytes(of(seen))).join(' → ')
    return `| ${name} | ${others.found} of ${others.marked} | ${through(besidesCaches)} | ${through(({ cacheBytes }) => cacheBytes)} | ${through(({ residentBytes }) => residentBytes)} |`
  })
  return `${bulletList({
    'requests': Object.values(summed(attacked, ({ byClass }) => byClass)).reduce((sum, count) => sum + count, 0),
    'by sender': inARow(summed(attacked, ({ byCaller }) => byCaller)),
    'answers by status': inARow(summed(attacked, ({ byStatus }) => byStatus)),
    'slowest answer, in ms': Math.round(Math.max(...all.map(({ slowest }) => slowest.ms))),
    'answers of 500 and above, crashes, leaks, changed documents and other findings': findings.length,
  })}

| gateway | other viewers' documents that their owners find | MB of heap without caches | MB of caches | MB resident |
|---|---:|---:|---:|---:|
${rows.join('\n')}

Memory before the attack, after it, and after its last part was repeated; each time after garbage collection.`
}

function summed(attacked: ReadonlyMap<string, Attacked>, of: (one: Attacked) => Record<string, number>): Record<string, number> {
  const totals: Record<string, number> = {}
  for (const one of attacked.values()) for (const [name, count] of Object.entries(of(one))) totals[name] = (totals[name] ?? 0) + count
  return totals
}

function inARow(counts: Record<string, number>): string {
  return Object.entries(counts).map(([name, count]) => `${name}: ${count.toLocaleString('en-US')}`).join(', ')
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}
