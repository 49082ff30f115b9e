// The full-disk scenario: in a folder that is a small disk of its own, or with libfiu reporting ENOSPC where nothing can be mounted.

import { rmSync, writeSync, openSync, closeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFailingGateway } from './failing-calls.ts'
import { startGateway } from './gateways.ts'
import { WriteLog } from './write-log.ts'
import { WritingClient, seededRandom } from './writing-client.ts'
import { Reader } from './reader.ts'
import { searched } from '../canaries.ts'
import { bulletList, firstFew, type Outcome } from '../scenario.ts'
import { inspectStore, createStore } from './stored.ts'

export interface FullDisk {
  readonly folder: string
  /** Whether the folder is a disk of its own. */
  readonly mounted?: boolean
  readonly rounds: number
  readonly seed: number
}

const clients = 4
/** The WAL file has free space for some writes, so the disk counts as full after this many refusals in a row. */
const refusedInTurn = 20
/** More writes than a full disk could take. */
const maxWritesWhenFull = 5000
const writesWithRoom = 10

export async function fillDisk({ folder, mounted = false, rounds, seed }: FullDisk): Promise<Outcome> {
  const wrong: string[] = []
  const file = join(folder, 'library.db')
  const writeLog = new WriteLog()
  const refused = (): number => writeLog.counts.refused + writeLog.counts.unknown
  await createStore(file)
  const { gateway, fill, free } = mounted ? await onSmallDisk(file) : await onReportedDisk(file, folder)
  const reader = new Reader(gateway.url, wrong)
  const all = Array.from({ length: clients }, (_, at) => new WritingClient(`${at}`, writeLog, seededRandom(seed + at), wrong))
  const eachWrites = (times: number): Promise<unknown> => Promise.all(all.map(async (client) => {
    for (let time = 0; time < times; time++) await client.writeOne(gateway.url)
  }))
  await eachWrites(writesWithRoom)
  for (let round = 0; round < rounds; round++) {
    await fill()
    let inTurn = 0
    for (let writes = 0; inTurn < refusedInTurn && writes < maxWritesWhenFull; writes++) {
      const before = refused()
      await Promise.all([all[writes % clients]!.writeOne(gateway.url), reader.read()])
      inTurn = refused() > before ? inTurn + 1 : 0
    }
    if (inTurn < refusedInTurn) wrong.push('Writes succeeded on a full disk.')
    await free()
    const before = refused()
    await eachWrites(writesWithRoom)
    if (refused() > before) wrong.push(`${refused() - before} writes were refused after space was freed.`)
  }
  if (!gateway.isAlive()) wrong.push(`The gateway ended: ${gateway.stderr()}`)
  await gateway.stop('SIGKILL')
  // The small disk has no space for a second copy.
  wrong.push(...(await inspectStore(file, writeLog, { folder: tmpdir() })))
  // This may run in a process of its own, whose leaks main.ts would not see.
  wrong.push(...searched().leaks)
  for (const line of firstFew(wrong)) console.error(line)
  const { acknowledged, refused: refusedInAll, unknown } = writeLog.counts
  return {
    held: wrong.length === 0 && refusedInAll > 0,
    figures: bulletList({
      'times the disk was full': `${rounds}, ${mounted ? 'a tmpfs with no room left' : 'by ENOSPC from libfiu'}`,
      'writes acknowledged': acknowledged,
      'writes refused, and absent': refusedInAll,
      'of them, by a timeout and not by the disk': writeLog.late,
      'writes whose result is unknown': unknown,
      'reads answered while the disk was full': reader.answered,
      'writes refused after space was freed, lost, torn or duplicated, unexpected answers, leaked secrets, and findings of `check`': wrong.length,
    }),
  }
}

async function onSmallDisk(file: string) {
  const gateway = await startGateway({ file, profile: 'production' })
  const filler = `${file}.filler`
  return { gateway, fill: async () => fillWith(filler), free: async () => rmSync(filler) }
}

async function onReportedDisk(file: string, folder: string) {
  const gateway = await startFailingGateway({ file, profile: 'production' }, folder)
  return { gateway, fill: () => gateway.fill(), free: () => gateway.heal() }
}

/** Uses up all free space. */
function fillWith(filler: string): void {
  const opened = openSync(filler, 'w')
  try {
    for (const block of [Buffer.alloc(65_536), Buffer.alloc(512)]) untilFull(() => writeSync(opened, block))
  } finally {
    closeSync(opened)
  }
}

function untilFull(write: () => void): void {
  for (;;) {
    try {
      write()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
  }
}
