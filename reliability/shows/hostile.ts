// Attackers, in figures: requests from a grammar of everything that is wrong, sent over real sockets to real gateways,
// and every answer looked at. `--requests N` and `--seed S` say how many and which; `--class NAME` and
// `--profile NAME` take some of them, and `--index N` sends one again and prints it.

import { attack, type Attacked } from '../hostile/attack.ts'
import { besidesCaches, type Seen } from '../hostile/evidence.ts'
import { Findings, findingText, type Finding } from '../hostile/findings.ts'
import { classes } from '../hostile/grammar/index.ts'
import { profiles, type Profile } from '../hostile/profiles.ts'
import type { Shown } from '../show.ts'

/** How many gateways are attacked at once: one of them waits while the other works. */
const together = 2

export interface HostileOptions {
  readonly requests: number
  readonly seed: string
  readonly class?: string | undefined
  /** The gateways that are attacked. */
  readonly profiles: readonly Profile[]
  readonly index?: number | undefined
  readonly tell: (line: string) => void
}

export interface Report {
  readonly findings: readonly Finding[]
  readonly attacked: ReadonlyMap<string, Attacked>
}

/** Without a class, a profile or an index, all of them. */
export const usual = { requests: 100_000, seed: '1', class: '', profile: '', index: '' }

export async function run({ requests, seed, class: name, profile, index }: typeof usual): Promise<Shown> {
  const options = { requests, seed, class: name || undefined, profiles: profiles.filter((each) => profile === '' || each.name === profile), index: index === '' ? undefined : Number(index), tell: (line: string) => console.log(line) }
  const { findings, attacked } = await runHostile(options)
  for (const finding of findings) console.log(`\n${findingText(finding, seed)}`)
  return { held: findings.length === 0, figures: figures(attacked) }
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

function figures(attacked: ReadonlyMap<string, Attacked>): string {
  const sum = (of: (one: Attacked) => Record<string, number>): string => {
    const totals: Record<string, number> = {}
    for (const one of attacked.values()) for (const [name, count] of Object.entries(of(one))) totals[name] = (totals[name] ?? 0) + count
    return Object.entries(totals).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `  ${name.padEnd(70)} ${String(count).padStart(7)}`).join('\n')
  }
  const each = [...attacked].map(([name, { slowest, others, inside: { before, once, twice } }]) => {
    const through = (of: (seen: Seen) => number): string => [before, once, twice].map((seen) => megabytes(of(seen))).join(' → ')
    return `  ${name}
    slowest ${slowest.ms.toFixed(0)} ms (${slowest.class}, ${slowest.index}); of ${others.marked} documents of others, their owners find ${others.found}
    MB before, after, and after the last part once more: heap ${through(({ heapBytes }) => heapBytes)}, without caches ${through(besidesCaches)}; resident ${through(({ residentBytes }) => residentBytes)}, with the pages that V8 kept ${through(({ residentBeforeBytes }) => residentBeforeBytes)}`
  })
  return `\nRequests by class\n${sum(({ byClass }) => byClass)}\n\nRequests by who sent them\n${sum(({ byCaller }) => byCaller)}\n\nAnswers by status\n${sum(({ byStatus }) => byStatus)}\n\nAnswers by class and code\n${sum(({ byCode }) => byCode)}\n\nGateways\n${each.join('\n')}`
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}
