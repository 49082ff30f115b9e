// The path of Chromium, or the reason why tests that need it are skipped.

import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const elsewhere = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/Applications/Google Chrome.app/Contents/MacOS', '/Applications/Chromium.app/Contents/MacOS']

export type Chromium = { readonly path: string } | { readonly missing: string }

/** Where `CHROMIUM_PATH` says, or else under one of its usual names. */
export function findChromium(env: NodeJS.ProcessEnv, isThere: (file: string) => boolean = existsSync): Chromium {
  const said = env['CHROMIUM_PATH']
  if (said) return isThere(said) ? { path: said } : { missing: `The browser tests did not run: CHROMIUM_PATH is ${said}, and there is nothing.` }
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''), ...elsewhere]
  const path = folders.flatMap((folder) => [...names, 'Google Chrome', 'Chromium'].map((name) => join(folder, name))).find(isThere)
  return path ? { path } : { missing: 'The browser tests did not run: there is no Chromium. Install it (on Debian: apt-get install chromium), or set CHROMIUM_PATH.' }
}
