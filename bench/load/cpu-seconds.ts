// How long a process has been computing, in all its threads. On a machine that others use too, this
// moves less than the time on the clock.

import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second, whatever the machine. */
const ticksPerSecond = 100

export function cpuSeconds(pid: number): number | undefined {
  try {
    // The name of the program, in brackets, may hold spaces; what follows it does not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return undefined
  }
}
