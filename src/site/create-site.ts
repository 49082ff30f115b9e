// The site as the HTTP server takes it: a plugin that answers with pages, and the count of answers that the landing
// page shows.

import type { SiteParts } from '../http/create-server.ts'
import type { StoredState } from '../observe/stored-state.ts'
import { AnswerTotals } from './answer-totals.ts'
import { createPages, type PagesOptions } from './pages.ts'
import type { SiteOptions } from './site-options.ts'
import { useAnswerTotals } from './use-answer-totals.ts'
import { usePages } from './use-pages.ts'

/** What the other rooms contribute. */
export interface SiteSources extends Pick<PagesOptions, 'model' | 'naive'> {
  /** How old snapshots can be at most, now. */
  readonly boundMs: () => number
  readonly cachedBytes: () => number
  readonly stored: () => StoredState | undefined
}

export function createSite({ model, naive, boundMs, cachedBytes, stored }: SiteSources, { development = false, examples, openPages, builtPages }: SiteOptions): SiteParts {
  const totals = new AnswerTotals()
  return {
    pages: usePages(createPages({
      model, naive, graphiql: development, open: openPages ?? development, examples, built: builtPages,
      numbers: () => totals.report(boundMs(), cachedBytes(), stored()), stored,
    })),
    numbers: useAnswerTotals(totals),
    countFastAnswer: totals.count.bind(totals),
  }
}
