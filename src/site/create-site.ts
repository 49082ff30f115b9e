// The site as the HTTP server takes it: a plugin that answers with pages, and the count of answers that the landing
// page shows.

import type { SiteParts } from '../http/create-server.ts'
import { Numbers } from './numbers.ts'
import { createPages, type PagesOptions } from './pages.ts'
import { useNumbers } from './use-numbers.ts'
import { usePages } from './use-pages.ts'

export interface SiteOptions extends Omit<PagesOptions, 'numbers'> {
  /** How old snapshots can be at most, now. */
  readonly boundMs: () => number
  readonly cachedBytes: () => number
}

export function createSite({ boundMs, cachedBytes, ...options }: SiteOptions): SiteParts {
  const numbers = new Numbers()
  return {
    pages: usePages(createPages({ ...options, numbers: () => numbers.report(boundMs(), cachedBytes()) })),
    numbers: useNumbers(numbers),
    countFastAnswer: (failed) => numbers.count(failed),
  }
}
