// The CPU time of a process, in all its threads. On a shared machine it varies less than wall time.

import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second on every machine. */
const ticksPerSecond = 100

export function cpuSeconds(pid: number): number | undefined {
  try {
    // The program's name, in brackets, may contain spaces; the fields after it do not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return undefined
  }
}
