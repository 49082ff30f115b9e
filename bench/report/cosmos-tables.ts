// The tables of the Cosmos DB suite. Quire is compared with the hand-written gateway by processor time, round by round; less is better.

import { median } from '../statistics.ts'
import { middle, short, table, timesKnown, whole } from './table.ts'

export interface CosmosComparison {
  readonly latencyMs: number
  readonly operation: string
  readonly title: string
  readonly rows: readonly CosmosRow[]
}

export interface CosmosRow {
  readonly name: 'quire' | 'hand-written'
  readonly title: string
  readonly rounds: readonly {
    readonly perSecond: number
    readonly p50Ms: number
    readonly p99Ms: number
    readonly serverCpuUs: number | undefined
    /** Of Cosmos DB, per operation. */
    readonly requests: number
    readonly requestCharge: number
  }[]
}

export interface IdleRow {
  readonly title: string
  readonly seconds: number
  readonly requestsPerSecond: number
  readonly requestChargePerSecond: number
}

export function cosmosTables(comparisons: readonly CosmosComparison[], idle: readonly IdleRow[]): string {
  return [
    ...comparisons.map(({ latencyMs, title, rows }) => `### ${title}, requests to Cosmos DB take ${latencyMs} ms\n\n${comparisonTable(rows)}`),
    ...(idle.length > 0 ? [`### A gateway at rest\n\n${idleTable(idle)}`] : []),
  ].join('\n\n')
}

function comparisonTable(rows: readonly CosmosRow[]): string {
  const baseline = rows.find(({ name }) => name === 'hand-written')
  const head = ['server', 'requests/s', 'p50 ms', 'p99 ms', 'server CPU µs', 'CPU, times hand-written', 'requests to Cosmos DB', 'RU']
  return table(head, rows.map(({ name, title, rounds }) => [
    name === 'quire' ? `**${title}**` : title,
    whole(median(rounds.map(({ perSecond }) => perSecond))),
    short(median(rounds.map(({ p50Ms }) => p50Ms))),
    short(median(rounds.map(({ p99Ms }) => p99Ms))),
    middle(cpuOf(rounds)),
    baseline ? timesKnown(cpuOf(rounds), cpuOf(baseline.rounds)) : '',
    short(median(rounds.map(({ requests }) => requests))),
    short(median(rounds.map(({ requestCharge }) => requestCharge))),
  ]))
}

function idleTable(rows: readonly IdleRow[]): string {
  return table(['at rest', 'seconds', 'requests per second', 'RU per second'], rows.map(({ title, seconds, requestsPerSecond, requestChargePerSecond }) =>
    [title, whole(seconds), short(requestsPerSecond), short(requestChargePerSecond)]))
}

function cpuOf(rounds: CosmosRow['rounds']): (number | undefined)[] {
  return rounds.map(({ serverCpuUs }) => serverCpuUs)
}
