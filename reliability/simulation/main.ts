// `npm run simulate -- --seed N` runs one seed and prints everything that happens in it; `--seeds K` runs K seeds from `--from`
// and prints what they found, with `--processes P` in so many processes. Exit code 1 when something was found. It exits at once: a
// gateway that has crashed in the simulation never closes what it has open.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { faultKinds, storeKinds, type FaultKind, type StoreKind } from './scenario.ts'
import { simulate } from './simulate.ts'

const { values } = parseArgs({ options: { seed: { type: 'string' }, seeds: { type: 'string', default: '100' }, from: { type: 'string', default: '1' }, processes: { type: 'string', default: '1' }, step: { type: 'string' }, faults: { type: 'string' }, store: { type: 'string' }, effects: { type: 'string' } } })
const faults = values.faults?.split(',').map((each) => each.trim()).filter((each) => each !== '') as FaultKind[] | undefined
const wrong = faults?.find((each) => !faultKinds.includes(each)) ?? (values.store !== undefined && !storeKinds.includes(values.store as StoreKind) ? values.store : undefined)
const limits = { faults, store: values.store as StoreKind | undefined, effects: values.effects as 'together' | 'feed' | undefined }
const tellEveryMs = 10_000

if (wrong !== undefined) {
  console.error(`Unknown: ${wrong}. --faults takes some of: ${faultKinds.join(', ')}. --store takes one of: ${storeKinds.join(', ')}.`)
  process.exit(2)
} else if (values.step !== undefined) {
  // One of several processes.
  await runSeeds(Number(values.from), Number(values.seeds), Number(values.step), (seen) => void process.send!(seen))
  process.exit(0)
} else if (values.seed !== undefined) {
  process.exit(await one(Number(values.seed)))
} else {
  process.exit(await many(Number(values.from), Number(values.seeds), Number(values.processes)))
}

async function one(seed: number): Promise<number> {
  const trace: string[] = []
  const { scenario, findings } = await simulate(seed, { ...limits, trace })
  const shown = { ...scenario, faults: [...scenario.faults] }
  // An exit would cut off what a pipe has not taken yet.
  await new Promise<void>((written) => process.stdout.write(`${trace.join('\n')}\n${JSON.stringify(shown)}\n`, () => written()))
  return findings.length > 0 ? 1 : 0
}

interface Seen {
  seeds: number
  found: number
  reads: number
  writes: number
  virtualHours: number
  /** Of its process. */
  cpuSeconds: number
}

async function many(from: number, seeds: number, processes: number): Promise<number> {
  const startedMs = performance.now()
  const seen = new Map<number, Seen>()
  const sum = (of: keyof Seen): number => [...seen.values()].reduce((total, each) => total + each[of], 0)
  const telling = setInterval(() => console.error(`${sum('seeds').toLocaleString('en-US')} of ${seeds.toLocaleString('en-US')} seeds, ${sum('found')} with findings, after ${((performance.now() - startedMs) / 1000).toFixed(0)} s`), tellEveryMs)
  // Each process takes every so many-th seed, so that all end at about the same time.
  if (processes === 1) await runSeeds(from, seeds, 1, (so) => void seen.set(0, so))
  else await Promise.all(Array.from({ length: processes }, (_, at) => inProcess(from + at, Math.ceil((seeds - at) / processes), processes, (so) => void seen.set(at, so))))
  clearInterval(telling)
  console.log(`${sum('seeds').toLocaleString('en-US')} seeds in ${((performance.now() - startedMs) / 1000).toFixed(0)} s (${sum('cpuSeconds').toFixed(0)} s of processor time): ${sum('writes').toLocaleString('en-US')} writes and ${sum('reads').toLocaleString('en-US')} reads in ${sum('virtualHours').toFixed(1)} virtual hours. Seeds with findings: ${sum('found')}.`)
  return sum('found') > 0 || sum('seeds') < seeds ? 1 : 0
}

/** Runs every `step`-th seed, and tells after each what was seen so far. */
async function runSeeds(from: number, seeds: number, step: number, tell: (seen: Seen) => void): Promise<void> {
  const seen: Seen = { seeds: 0, found: 0, reads: 0, writes: 0, virtualHours: 0, cpuSeconds: 0 }
  for (let seed = from; seed < from + seeds * step; seed += step) {
    const { findings, scenario, reads, writes, virtualMs } = await simulate(seed, limits).catch((error: unknown) => {
      throw new Error(`Seed ${seed} failed.`, { cause: error })
    })
    const { user, system } = process.cpuUsage()
    seen.seeds++
    seen.reads += reads
    seen.writes += writes
    seen.virtualHours += virtualMs / 3_600_000
    seen.cpuSeconds = (user + system) / 1_000_000
    if (findings.length > 0) {
      seen.found++
      console.log(`seed ${seed} (${scenario.store}, ${scenario.effects}, ${[...scenario.faults].join(', ') || 'no faults'}): ${findings.length} findings`)
      for (const { check, message } of findings.slice(0, 3)) console.log(`  ${check}: ${message}`)
    }
    tell(seen)
  }
}

/** The same in a process of its own, which prints what it finds. */
async function inProcess(from: number, seeds: number, step: number, tell: (seen: Seen) => void): Promise<void> {
  const child = fork(import.meta.filename, [...process.argv.slice(2), '--processes', '1', '--from', String(from), '--seeds', String(seeds), '--step', String(step)])
  child.on('message', (seen) => tell(seen as Seen))
  await once(child, 'exit')
}
