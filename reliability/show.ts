// What every show has: the numbers that it can be told, and what it answers. main.ts finds it by the name of its file.

export type Options = Readonly<Record<string, number | string | boolean>>

export interface Show<Own extends Options = Options> {
  /** The options, with what they are when nobody says otherwise. */
  readonly usual: Own
  readonly run: (options: Own) => Promise<Shown>
}

export interface Shown {
  /** Whether everything that was promised was so. */
  readonly held: boolean
  /** What was seen, as Markdown, for docs/reliability.md. */
  readonly figures: string
  /** All that was seen, where that is more. */
  readonly data?: unknown
}

/** Figures as a list: each with what it is about. */
export function listed(figures: Readonly<Record<string, string | number>>): string {
  return Object.entries(figures).map(([about, figure]) => `- ${about}: ${typeof figure === 'number' ? figure.toLocaleString('en-US') : figure}`).join('\n')
}

/** At most a few of what went wrong, so that a thousand times the same does not hide what it was. */
export function someOf(wrong: readonly string[]): string[] {
  return [...wrong.slice(0, 10), ...(wrong.length > 10 ? [`… and ${wrong.length - 10} more`] : [])]
}
