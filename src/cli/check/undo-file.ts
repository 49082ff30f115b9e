// The file that keeps what `quire check --repair` takes out: a JSON object per line, on the disk before the store is written.

import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { ConfigError } from '../../errors.ts'
import type { UndoEntry } from '../../evolve/check/repair/undo-log.ts'
import { readNamed } from '../command/print-error.ts'

export class UndoFile {
  readonly path: string
  readonly #flags: 'a' | 'wx'
  #descriptor: number | undefined

  /** `goesOn`: what was interrupted adds to its own file. */
  constructor(path: string, goesOn = false) {
    this.path = path
    this.#flags = goesOn ? 'a' : 'wx'
  }

  /** Whether anything is in it. */
  get isUsed(): boolean {
    return this.#descriptor !== undefined
  }

  /** Creates the file at first use: most repairs take out nothing. */
  keep(taken: readonly UndoEntry[]): void {
    if (taken.length === 0) return
    // Never over another repair's.
    this.#descriptor ??= openSync(this.path, this.#flags, 0o600)
    writeSync(this.#descriptor, taken.map((each) => `${JSON.stringify(each)}\n`).join(''))
    fsyncSync(this.#descriptor)
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
  }
}

/** Named after the time, in the current folder. */
export function undoFileNow(now: Date): string {
  return `quire-repair-${now.toISOString().replaceAll(/[:.]/g, '-')}.jsonl`
}

export function readUndoFile(path: string): UndoEntry[] {
  const lines = readNamed(() => readFileSync(path, 'utf8'), path, 'file').split('\n')
  // A repair that was killed may have ended in the middle of a line; what it describes was not written.
  const isCut = lines.at(-1) !== ''
  return lines.slice(0, -1).filter((line) => line !== '').map((line, index) => {
    try {
      const taken = JSON.parse(line) as UndoEntry
      if (typeof taken.container === 'string' && typeof taken.id === 'string' && Array.isArray(taken.partition)) return taken
    } catch {
      // It is reported below.
    }
    throw new ConfigError(`${path}:${index + 1} is not a line that "quire check --repair" wrote${isCut ? ', and the last line is cut off' : ''}. Name a file that it wrote.`)
  })
}
