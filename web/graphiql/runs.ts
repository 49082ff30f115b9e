// What was run last in each tab and what came of it. The panel shows it; the fetcher writes it down.

import type { Cost } from '../../src/store/cost-model.ts'
import type { CostReport } from '../../src/observe/cost-report.ts'

export interface Run {
  readonly text: string
  readonly operationName: string | undefined
  readonly state: 'running' | 'answered' | 'unreachable'
  /** Of the last answer; while running, of the one before. */
  readonly account: CostReport | undefined
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
  /** This run used no copy, so it is the batched one itself. */
  | { readonly state: 'same'; readonly made: Cost }
  | { readonly state: 'not run'; readonly because: string }

export class Runs {
  /** The tab that is being looked at, and so the one that runs. */
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
    let run: Run = { text, operationName, state: 'running', account: before?.account, problems: [], batched: before?.batched ?? { state: 'running' } }
    const put = (next: Run) => {
      this.#last.set(tab, next)
      for (const listener of this.#listeners) listener()
    }
    put(run)
    return (news) => {
      // Whatever was begun later in this tab has the last word.
      if (this.#last.get(tab) !== run) return
      run = { ...run, ...news }
      put(run)
    }
  }
}

export type Report = (news: Partial<Run>) => void
