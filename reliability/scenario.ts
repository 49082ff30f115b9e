// What every show has: the numbers that it can be told, and what it answers. main.ts finds it by the name of its file.

import { availableParallelism, loadavg } from 'node:os'

export type Options = Readonly<Record<string, number | string | boolean>>

export interface Scenario<Own extends Options = Options> {
  /** The options, with what they are when nobody says otherwise. */
  readonly defaults: Own
  readonly run: (options: Own) => Promise<Outcome>
}

export interface Outcome {
  /** Whether everything that was promised was so. */
  readonly held: boolean
  /** What was seen, as Markdown, for docs/reliability.md. */
  readonly figures: string
  /** All that was seen, where that is more. */
  readonly data?: unknown
}

/** How far it has come, for whoever waits. */
export function progress(line: string): void {
  console.error(line)
}

/** What was seen, line by line, and on which machine: it has to do with how fast things are. */
export function outcome({ lines, data, holds }: { readonly lines: readonly string[]; readonly data: object; readonly holds: boolean }): Outcome {
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)} at the end`
  return { held: holds, figures: [...lines, `${machine}.`].map((line) => `- ${line}`).join('\n'), data: { holds, machine, ...data } }
}

/** Figures as a list: each with what it is about. */
export function listed(figures: Readonly<Record<string, string | number>>): string {
  return Object.entries(figures).map(([about, figure]) => `- ${about}: ${typeof figure === 'number' ? figure.toLocaleString('en-US') : figure}`).join('\n')
}

/** At most a few of what went wrong, so that a thousand times the same does not hide what it was. */
export function someOf(wrong: readonly string[]): string[] {
  return [...wrong.slice(0, 10), ...(wrong.length > 10 ? [`… and ${wrong.length - 10} more`] : [])]
}
