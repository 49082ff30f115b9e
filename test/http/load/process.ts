// A production gateway as a process (`quire start`), with resolvers that a test provides.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { startQuire } from '../../cli/quire.ts'

export interface Running {
  readonly child: ChildProcess
  readonly port: number
  readonly folder: string
  /** What it has logged so far. */
  readonly log: { readonly level: string; readonly msg: string; readonly [name: string]: unknown }[]
  /** Resolves when it prints this line. */
  says(line: string): Promise<void>
  /** Its exit code, when it has ended. */
  ended(): Promise<unknown>
}

export async function startZoo(sdl: string, resolvers: string, env: Record<string, string> = {}): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-steady-'))
  writeFileSync(join(folder, 'zoo.graphql'), sdl)
  writeFileSync(join(folder, 'resolvers.mjs'), resolvers)
  const child = startQuire(['start'], { cwd: folder, env: { NODE_ENV: 'production', PORT: '0', QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}`, QUIRE_SCHEMA: folder, QUIRE_DRAIN_MS: '0', ...env } })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
    rmSync(folder, { recursive: true, force: true })
  })
  const said: string[] = []
  const waiting = new Set<() => void>()
  const log: Running['log'] = []
  createInterface({ input: child.stdout! }).on('line', (line) => {
    said.push(line)
    for (const look of waiting) look()
  })
  createInterface({ input: child.stderr! }).on('line', (line) => log.push(JSON.parse(line) as Running['log'][number]))
  const until = async (isIt: (line: string) => boolean): Promise<string> => {
    for (;;) {
      const line = said.find(isIt)
      if (line !== undefined) return line
      await new Promise<void>((resolve) => {
        const look = (): void => {
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
      })
    }
  }
  const ready = await until((line) => line.startsWith('Quire is ready at '))
  return {
    child, folder, log,
    port: Number(/:(\d+)\//.exec(ready)![1]),
    says: async (line) => void (await until((each) => each === line)),
    ended: async () => ((await closed) as unknown[])[0],
  }
}
