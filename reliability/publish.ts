// Puts what was seen where the documentation shows it, with the machine it was seen on.

import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { betweenMarkers } from '../src/between-markers.ts'
import type { Outcome } from './outcome.ts'

const root = join(import.meta.dirname, '..')

export async function publish(name: string, { lines, data, holds }: Outcome): Promise<void> {
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)}`
  writeFileSync(join(root, 'reliability/results', `${name}.json`), `${JSON.stringify({ holds, machine, ...data }, null, 2)}\n`)
  const page = join(root, 'docs/reliability.md')
  const part = [...lines.map((line) => `- ${line}`), `- ${holds ? 'It holds' : 'It does not hold'} (${machine}).`].join('\n')
  writeFileSync(page, await betweenMarkers(readFileSync(page, 'utf8'), async (marked) => (marked === name ? part : undefined)))
}
