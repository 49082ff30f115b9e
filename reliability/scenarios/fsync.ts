// Runs a gateway under `strace`, sends mutations one by one and many at a time, and reads from the trace that the disk
// confirmed each of them before the gateway acknowledged it. Killing a process cannot show this: the operating system still
// has the data, and only a power failure would lose it.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startGateway, type GatewayChoice } from '../durability/gateways.ts'
import { missingTools } from '../durability/missing-tools.ts'
import { bulletList, firstFew, type Scenario, type Outcome } from '../scenario.ts'
import { createStore } from '../durability/stored.ts'
import { readTrace, straceOf, type Traced } from '../durability/trace.ts'

export const defaults = { single: 50, together: 200, clients: 10 }
export const run: Scenario<typeof defaults>['run'] = traceSyncs

export async function traceSyncs({ single, together, clients }: typeof defaults): Promise<Outcome> {
  const missing = missingTools(['strace'])
  if (missing) throw new Error(`The scenario cannot run: ${missing}.`)
  const one = await traceWrites('production', single, 1)
  const many = await traceWrites('production', together, clients)
  const inDevelopment = await traceWrites('development', single, 1)
  const wrong = [one, many, inDevelopment].flatMap(({ tooEarly }) => tooEarly)
  for (const line of firstFew(wrong)) console.error(line)
  return {
    held: wrong.length === 0 && one.inOrder.length === single && many.inOrder.length === together && inDevelopment.inOrder.length === single,
    figures: bulletList({
      'mutations one by one, acknowledged after a sync of their log': `${one.inOrder.length + inDevelopment.inOrder.length} of ${2 * single}`,
      'syncs for these': one.commits + inDevelopment.commits,
      [`mutations of ${clients} concurrent clients, acknowledged after a sync of their log`]: `${many.inOrder.length} of ${together}`,
      'syncs for these, which share commits': many.commits,
      'acknowledged too early': wrong.length,
    }),
  }
}

async function traceWrites(profile: GatewayChoice['profile'], writes: number, clients: number): Promise<Traced> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-fsync-'))
  try {
    const [file, output] = [join(folder, 'library.db'), join(folder, 'trace')]
    await createStore(file)
    const gateway = await startGateway({ file, profile, under: straceOf(output) })
    const words = Array.from({ length: writes }, (_, at) => `word${at}end`)
    const left = words.slice()
    await Promise.all(Array.from({ length: clients }, async () => {
      for (let word = left.shift(); word !== undefined; word = left.shift()) await publish(gateway.url, word)
    }))
    // Shut down in order, or the trace would miss the last call.
    await gateway.stop('SIGTERM')
    return readTrace(await completeTrace(output, gateway.pid), file, words)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function publish(address: string, name: string): Promise<void> {
  const query = 'mutation ($name: String!) { publishBook(input: { name: $name, authorIds: ["a1"] }) { book { name } } }'
  const response = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query, variables: { name } }) })
  const answer = await response.text()
  if (!answer.includes(name) || answer.includes('errors')) throw new Error(`A mutation was answered with ${answer}`)
}

/** strace is a process of its own and ends a moment after the gateway. */
async function completeTrace(output: string, pid: number): Promise<string> {
  for (;;) {
    const trace = readFileSync(output, 'latin1')
    if (new RegExp(`^${pid} +\\+{3} exited`, 'm').test(trace)) return trace
    await pause(20)
  }
}
