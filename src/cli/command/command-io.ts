// The surroundings of a command that tests replace: its environment, and what it reads and prints.

import { readFileSync } from 'node:fs'

export interface CommandIo {
  readonly env: NodeJS.ProcessEnv
  /** `-` reads standard input. */
  readonly read: (file: string) => string
  readonly print: (line: string) => void
  readonly printError: (line: string) => void
  /** Shows a line in the terminal that the next call replaces. */
  readonly progress: (line: string) => void
}

export const processIo: CommandIo = {
  env: process.env,
  read: (file) => readFileSync(file === '-' ? 0 : file, 'utf8'),
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  progress: (line) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${line}\u001B[K`)
  },
}
