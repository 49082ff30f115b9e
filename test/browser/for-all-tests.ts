// A browser and a gateway for all tests of a file: opened before the first, closed after the last.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openBrowser, serve, type Served } from './browser.ts'

export interface Opened {
  readonly browser: Browser
  readonly served: Served
}

/** What it returns can be used in tests only. */
export function openedForAll(options?: Parameters<typeof serve>[0]): Opened {
  let opened: Opened
  beforeAll(async () => {
    opened = { browser: await openBrowser(), served: await serve(options) }
  })
  afterAll(async () => {
    await opened.browser.close()
    await opened.served.close()
  })
  return {
    get browser() {
      return opened.browser
    },
    get served() {
      return opened.served
    },
  }
}
