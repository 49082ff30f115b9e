// `npm run simulate -- --seed N` runs one seed and prints everything that happens in it; `--seeds K` runs K seeds from `--from`
// and prints what they found. Exit code 1 when something was found. It exits at once: a gateway that has crashed in the simulation
// never closes what it has open.

import { parseArgs } from 'node:util'
import { faultKinds, storeKinds, type FaultKind, type StoreKind } from './scenario.ts'
import { simulate } from './simulate.ts'

const { values } = parseArgs({ options: { seed: { type: 'string' }, seeds: { type: 'string', default: '100' }, from: { type: 'string', default: '1' }, faults: { type: 'string' }, store: { type: 'string' }, effects: { type: 'string' } } })
const faults = values.faults?.split(',').map((each) => each.trim()).filter((each) => each !== '') as FaultKind[] | undefined
const wrong = faults?.find((each) => !faultKinds.includes(each)) ?? (values.store !== undefined && !storeKinds.includes(values.store as StoreKind) ? values.store : undefined)
const limits = { faults, store: values.store as StoreKind | undefined, effects: values.effects as 'together' | 'feed' | undefined }

if (wrong !== undefined) {
  console.error(`Unknown: ${wrong}. --faults takes some of: ${faultKinds.join(', ')}. --store takes one of: ${storeKinds.join(', ')}.`)
  process.exit(2)
} else if (values.seed !== undefined) {
  process.exit(await one(Number(values.seed)))
} else {
  process.exit(await many(Number(values.from), Number(values.seeds)))
}

async function one(seed: number): Promise<number> {
  const trace: string[] = []
  const { scenario, findings } = await simulate(seed, { ...limits, trace })
  const shown = { ...scenario, faults: [...scenario.faults] }
  // An exit would cut off what a pipe has not taken yet.
  await new Promise<void>((written) => process.stdout.write(`${trace.join('\n')}\n${JSON.stringify(shown)}\n`, () => written()))
  return findings.length > 0 ? 1 : 0
}

async function many(from: number, seeds: number): Promise<number> {
  const startedMs = performance.now()
  const seen = { seeds: 0, found: 0, reads: 0, writes: 0, virtualHours: 0 }
  for (let seed = from; seed < from + seeds; seed++) {
    const { findings, scenario, reads, writes, virtualMs } = await simulate(seed, limits)
    seen.seeds++
    seen.reads += reads
    seen.writes += writes
    seen.virtualHours += virtualMs / 3_600_000
    if (findings.length > 0) {
      seen.found++
      console.log(`seed ${seed} (${scenario.store}, ${scenario.effects}, ${[...scenario.faults].join(', ') || 'no faults'}): ${findings.length} findings`)
      for (const { check, message } of findings.slice(0, 3)) console.log(`  ${check}: ${message}`)
    }
  }
  const { user, system } = process.cpuUsage()
  console.log(`${seen.seeds.toLocaleString('en-US')} seeds in ${((performance.now() - startedMs) / 1000).toFixed(0)} s (${((user + system) / 1_000_000).toFixed(0)} s of processor time): ${seen.writes.toLocaleString('en-US')} writes and ${seen.reads.toLocaleString('en-US')} reads in ${seen.virtualHours.toFixed(1)} virtual hours. Seeds with findings: ${seen.found}.`)
  return seen.found > 0 ? 1 : 0
}
