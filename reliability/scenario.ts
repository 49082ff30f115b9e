// What every scenario exports (options and `run`) and returns. main.ts finds a scenario by the name of its file.

import { availableParallelism, loadavg } from 'node:os'

export type Options = Readonly<Record<string, number | string | boolean>>

export interface Scenario<Own extends Options = Options> {
  /** The options with their default values. */
  readonly defaults: Own
  readonly run: (options: Own) => Promise<Outcome>
}

export interface Outcome {
  /** Whether the promise held. */
  readonly held: boolean
  /** The figures as Markdown, for docs/reliability.md. */
  readonly figures: string
  /** All measurements, for --json, where there are more than the figures. */
  readonly data?: unknown
}

/** Prints to standard error how far the scenario has come. */
export function progress(line: string): void {
  console.error(line)
}

/** An outcome whose figures depend on the machine, so they name it. */
export function outcome({ lines, data, holds }: { readonly lines: readonly string[]; readonly data: object; readonly holds: boolean }): Outcome {
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)} at the end`
  return { held: holds, figures: [...lines, `${machine}.`].map((line) => `- ${line}`).join('\n'), data: { holds, machine, ...data } }
}

/** One figure per line, each after its name. */
export function bulletList(figures: Readonly<Record<string, string | number>>): string {
  return Object.entries(figures).map(([about, figure]) => `- ${about}: ${typeof figure === 'number' ? figure.toLocaleString('en-US') : figure}`).join('\n')
}

/** At most ten problems, so that a thousand equal lines do not hide the first. */
export function firstFew(wrong: readonly string[]): string[] {
  return [...wrong.slice(0, 10), ...(wrong.length > 10 ? [`… and ${wrong.length - 10} more`] : [])]
}
