// Given to node with --import, this takes out of Quire, as it is loaded, what is there only for the
// account. What a gateway without tracing still pays for it is the difference to one without the
// code. Should the code have changed so that there is nothing to take out, it says so and stops.

import { registerHooks } from 'node:module'

const cuts: Record<string, readonly (readonly [RegExp, string])[]> = {
  'src/loaders/reads.ts': [[/^ *this\.ledger\?\.ask\w*\(.*\)$/gm, '']],
  'src/resolvers.ts': [
    [/^ *const asker: Asker = \{.*\}$/gm, 'const asker = nobody'],
    [/^ *return \{ field: `\$\{info\.parentType\.name\}.*\}$/gm, 'return nobody'],
    [/^ *place\.resolved\+\+$/gm, ''],
    [/^ *relation\.spare\?\.\(.*\)$/gm, ''],
    [/$(?![\s\S])/g, "\nconst nobody = { field: '', place: { prev: undefined, key: '' }, stage: 0 }\n"],
  ],
}

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const file = Object.keys(cuts).find((name) => url.endsWith(`/${name}`))
    if (file === undefined) return loaded
    let source = String(loaded.source)
    for (const [pattern, replacement] of cuts[file]!) {
      if (source.search(pattern) < 0) throw new Error(`${file} has nothing like ${String(pattern)} any more.`)
      source = source.replace(pattern, replacement)
    }
    return { ...loaded, source }
  },
})
