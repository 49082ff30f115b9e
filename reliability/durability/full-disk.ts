// What disk.ts shows, in a folder that is a small disk of its own, or with libfiu where there is none.

import { rmSync, writeSync, openSync, closeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFailing } from './failing-calls.ts'
import { startGateway } from './gateways.ts'
import { WriteLog } from './write-log.ts'
import { Client, drawFrom } from './writing-client.ts'
import { Reader } from './reader.ts'
import { searched } from '../canaries.ts'
import { listed, someOf, type Outcome } from '../scenario.ts'
import { lookAt, makeStore } from './stored.ts'

export interface FullDisk {
  readonly folder: string
  /** Whether the folder is a disk of its own. */
  readonly mounted?: boolean
  readonly rounds: number
  readonly seed: number
}

const clients = 4
/** The log has room of its own for some writes, so it takes a while until none gets through. */
const refusedInTurn = 20
/** There is less room than this many writes would need. */
const mostWhenFull = 5000
const writesWithRoom = 10

export async function fillDisk({ folder, mounted = false, rounds, seed }: FullDisk): Promise<Outcome> {
  const wrong: string[] = []
  const file = join(folder, 'library.db')
  const writeLog = new WriteLog()
  const refused = (): number => writeLog.counts.refused + writeLog.counts.unknown
  await makeStore(file)
  const { gateway, fill, free } = mounted ? await onSmallDisk(file) : await onToldDisk(file, folder)
  const reader = new Reader(gateway.url, wrong)
  const all = Array.from({ length: clients }, (_, at) => new Client(`${at}`, writeLog, drawFrom(seed + at), wrong))
  const eachWrites = (times: number): Promise<unknown> => Promise.all(all.map(async (client) => {
    for (let time = 0; time < times; time++) await client.writeOne(gateway.url)
  }))
  await eachWrites(writesWithRoom)
  for (let round = 0; round < rounds; round++) {
    await fill()
    let inTurn = 0
    for (let writes = 0; inTurn < refusedInTurn && writes < mostWhenFull; writes++) {
      const before = refused()
      await Promise.all([all[writes % clients]!.writeOne(gateway.url), reader.read()])
      inTurn = refused() > before ? inTurn + 1 : 0
    }
    if (inTurn < refusedInTurn) wrong.push('The disk was full, and writes went on.')
    await free()
    const before = refused()
    await eachWrites(writesWithRoom)
    if (refused() > before) wrong.push(`${refused() - before} writes were refused when there was room again.`)
  }
  if (!gateway.isAlive()) wrong.push(`The gateway ended: ${gateway.stderr()}`)
  await gateway.stop('SIGKILL')
  // The disk has hardly room for what is on it.
  wrong.push(...(await lookAt(file, writeLog, { folder: tmpdir() })))
  // This may be a process of its own, which nobody else asks.
  wrong.push(...searched().leaks)
  for (const line of someOf(wrong)) console.error(line)
  const { acknowledged, refused: told, unknown } = writeLog.counts
  return {
    held: wrong.length === 0 && told > 0,
    figures: listed({
      'times that the disk was full': `${rounds}, ${mounted ? 'a tmpfs with no room left' : 'by ENOSPC from libfiu'}`,
      'writes acknowledged': acknowledged,
      'writes refused, and not there': told,
      'of them, because it took too long and not for the disk': writeLog.late,
      'writes of which nobody could say': unknown,
      'reads answered while it was full': reader.answered,
      'writes refused when there was room again, lost, torn or doubled, other answers, secrets that were told, and findings of `check`': wrong.length,
    }),
  }
}

async function onSmallDisk(file: string) {
  const gateway = await startGateway({ file, profile: 'production' })
  const filler = `${file}.filler`
  return { gateway, fill: async () => fillWith(filler), free: async () => rmSync(filler) }
}

async function onToldDisk(file: string, folder: string) {
  const gateway = await startFailing({ file, profile: 'production' }, folder)
  return { gateway, fill: () => gateway.fill(), free: () => gateway.heal() }
}

/** Takes all the room there is. */
function fillWith(filler: string): void {
  const opened = openSync(filler, 'w')
  try {
    for (const block of [Buffer.alloc(65_536), Buffer.alloc(512)]) whileThereIsRoom(() => writeSync(opened, block))
  } finally {
    closeSync(opened)
  }
}

function whileThereIsRoom(write: () => void): void {
  for (;;) {
    try {
      write()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
  }
}
