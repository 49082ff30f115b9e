// Reads and writes the file of a recorded workload. The file is replaced as a whole, so it is complete at any moment, also
// after a crash.

import { open, readFile, rename, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { checkWorkload } from './check-workload.ts'
import { Tally } from './tally.ts'
import { WorkloadError, type Workload } from './workload.ts'

const mark = 'workload'
const version = 1

export async function readWorkload(file: string): Promise<Workload> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WorkloadError(error.code === 'ENOENT' ? `Workload file not found: ${file}. Record one with QUIRE_RECORD=${file} quire start.` : `Cannot read ${file}: ${error.message}.`, { cause: error })
  })
  return parseWorkload(text, basename(file))
}

/** Undefined if there is no file yet. */
export async function readWorkloadIfExists(file: string): Promise<Workload | undefined> {
  try {
    return await readWorkload(file)
  } catch (error) {
    if (error instanceof WorkloadError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined
    throw error
  }
}

export async function writeWorkload(file: string, workload: Workload): Promise<void> {
  const beside = `${file}.${process.pid}.tmp`
  try {
    const handle = await open(beside, 'w')
    try {
      await handle.writeFile(workloadText(workload))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw new WorkloadError(`Cannot write the workload to ${file}: ${(error as Error).message}. Set QUIRE_RECORD to a writable file.`)
  }
}

/** The sum of several records, with their times added up. */
export function sumWorkloads(workloads: readonly Workload[]): Workload {
  const tally = new Tally()
  for (const workload of workloads) tally.add(workload)
  return tally.workload({
    runs: workloads.reduce((sum, { runs }) => sum + runs, 0),
    startedAt: workloads.map(({ startedAt }) => startedAt).toSorted()[0]!,
    endedAt: workloads.map(({ endedAt }) => endedAt).toSorted().at(-1)!,
    recordedMs: workloads.reduce((sum, { recordedMs }) => sum + recordedMs, 0),
  })
}

/** One operation per line: small, and easy to read. */
export function workloadText(workload: Workload): string {
  const lines = Object.entries({ quire: mark, version, ...workload }).map(([name, value]) => {
    const text = Array.isArray(value) ? `[\n${value.map((each) => JSON.stringify(each)).join(',\n')}\n]` : JSON.stringify(value)
    return `${JSON.stringify(name)}: ${text}`
  })
  return `{\n${lines.join(',\n')}\n}\n`
}

export function parseWorkload(text: string, name: string): Workload {
  const hint = 'Record one with QUIRE_RECORD=FILE quire start.'
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    throw new WorkloadError(`${name} is not a recorded workload: it is not JSON. ${hint}`)
  }
  const { quire, version: written, ...workload } = (typeof read === 'object' && read !== null ? read : {}) as Record<string, unknown>
  if (quire !== mark) throw new WorkloadError(`${name} is not a recorded workload. ${hint}`)
  if (written !== version) throw new WorkloadError(`${name} has format ${String(written).slice(0, 20)}, but this version of Quire reads format ${version}. Record it again.`)
  const wrong = checkWorkload(workload)
  if (wrong !== undefined) throw new WorkloadError(`${name} is not a valid workload: ${wrong} is wrong. ${hint}`)
  return workload as unknown as Workload
}
