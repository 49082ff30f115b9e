// What every suite takes and returns.

import { UsageError } from './usage-error.ts'

export interface Options {
  readonly quick: boolean
  readonly rounds: number
  readonly seconds: number
  /** Only the rows with these names. */
  readonly only: ReadonlySet<string> | undefined
  /** Reports progress. */
  readonly progress: (text: string) => void
}

export interface SuiteResult {
  /** How it was measured, as text. */
  readonly how: string
  /** The tables, as Markdown. */
  readonly tables: string
  /** All measurements. */
  readonly data: object
  /** Drawings, by the name of their file. */
  readonly charts?: Record<string, string>
}

export type Suite = (options: Options) => Promise<SuiteResult>

export function chosen<T extends { readonly name: string }>(all: readonly T[], { only }: Options): readonly T[] {
  if (!only) return all
  const names = new Set(all.map(({ name }) => name))
  const unknown = [...only].filter((name) => !names.has(name))
  if (unknown.length > 0) throw new UsageError(`Unknown row ${unknown.join(', ')}. Choose from ${[...names].join(', ')}.`)
  return all.filter(({ name }) => only.has(name))
}
