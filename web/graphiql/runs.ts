// The last run of each tab and its result. The fetcher writes it, the panel shows it.

import type { Cost } from '../../src/store/cost-model.ts'
import type { CostReport } from '../../src/observe/cost-report.ts'

export interface Run {
  readonly text: string
  readonly operationName: string | undefined
  readonly state: 'running' | 'answered' | 'unreachable'
  /** Of the last answer; while running, of the one before. */
  readonly costReport: CostReport | undefined
  readonly problems: readonly Problem[]
  readonly batched: Batched
}

export interface Problem {
  readonly message: string
  readonly code: string | undefined
}

/** What the operation costs with every relation looked up. */
export type Batched =
  | { readonly state: 'running' }
  | { readonly state: 'measured'; readonly made: Cost }
  /** The run itself used no snapshot, so it is the batched one. */
  | { readonly state: 'same'; readonly made: Cost }
  | { readonly state: 'not run'; readonly because: string }

export class Runs {
  /** The active tab, whose operation runs. */
  tab = ''
  readonly #last = new Map<string, Run>()
  readonly #listeners = new Set<() => void>()

  of(tab: string): Run | undefined {
    return this.#last.get(tab)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  begin(text: string, operationName: string | undefined): Report {
    const { tab } = this
    const before = this.#last.get(tab)
    let run: Run = { text, operationName, state: 'running', costReport: before?.costReport, problems: [], batched: before?.batched ?? { state: 'running' } }
    const put = (next: Run) => {
      this.#last.set(tab, next)
      for (const listener of this.#listeners) listener()
    }
    put(run)
    return (news) => {
      // Ignored if a later run of this tab has begun.
      if (this.#last.get(tab) !== run) return
      run = { ...run, ...news }
      put(run)
    }
  }
}

export type Report = (news: Partial<Run>) => void
