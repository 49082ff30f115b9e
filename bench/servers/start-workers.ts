// `quire start` with several workers, each on a core of its own where processes can be pinned.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpuSeconds } from '../load/cpu-seconds.ts'
import { pinned, startServer, type Server, type ServerCommand } from './start-server.ts'

export interface WorkersServer extends Server {
  /** The CPU time of all its processes so far; undefined where the system does not report it. */
  readonly cpuSeconds: () => number | undefined
}

/** With one worker it is one process. */
export async function startWorkers(command: ServerCommand, workers: number): Promise<WorkersServer> {
  const server = await startServer({ ...command, args: [...command.args, '--workers', String(workers)], under: [] })
  const children = childrenOf(server.pid)
  for (const [core, pid] of (workers === 1 ? [server.pid] : children).entries()) if (pinned) spawnSync('taskset', ['-a', '-c', '-p', String(core), String(pid)])
  return {
    ...server,
    cpuSeconds: () => [server.pid, ...children].map(cpuSeconds).reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each)),
  }
}

/** In the order in which they were started. */
function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter((pid) => pid > 0)
  return pids.filter((pid) => parentOf(pid) === parent).toSorted((one, other) => one - other)
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1])
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}
