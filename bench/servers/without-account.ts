// Quire without its account: a module that is imported by the name that this gives it, and all that it imports, is loaded
// once more without the code that is there only for the account. What a gateway that does not trace still
// pays for it is the difference between the two, which live in one process and share everything else.
// Should the code have changed so that there is nothing to take out, it says so and stops.

import { registerHooks } from 'node:module'

const mark = '?without-account'

export function withoutAccount(file: string): string {
  return file + mark
}

const cuts: Record<string, readonly (readonly [RegExp, string])[]> = {
  'src/loaders/reads.ts': [[/^ *this\.readLog\?\.ask\w*\(.*\)$/gm, '']],
  'src/execute/resolvers.ts': [
    [/^ *const asker: Asker = \{.*\}$/gm, 'const asker = nobody'],
    [/^ *return \{ field: `\$\{info\.parentType\.name\}.*\}$/gm, 'return nobody'],
    [/^ *place\.resolved\+\+$/gm, ''],
    [/^ *relation\.spare\?\.\(.*\)$/gm, ''],
    [/$(?![\s\S])/g, "\nconst nobody = { field: '', place: { prev: undefined, key: '' }, stage: 0 }\n"],
  ],
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    const isOurs = resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/')
    return isOurs && context.parentURL?.endsWith(mark) && !resolved.url.endsWith(mark) ? { ...resolved, url: resolved.url + mark } : resolved
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const file = Object.keys(cuts).find((name) => url.endsWith(`/${name}${mark}`))
    if (file === undefined) return loaded
    let source = String(loaded.source)
    for (const [pattern, replacement] of cuts[file]!) {
      if (source.search(pattern) < 0) throw new Error(`${file} has nothing like ${String(pattern)} any more.`)
      source = source.replace(pattern, replacement)
    }
    return { ...loaded, source }
  },
})
