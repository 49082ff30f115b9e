// Replaces each `graphql` tag with the artifact that relay-compiler generated for it. Bundlers use babel-plugin-relay or
// the like; this example needs no more than this.

import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const tag = /\bgraphql`\s*(?:query|mutation|subscription|fragment)\s+(\w+)[^`]*`/g

export function relayTags(): Plugin {
  return {
    name: 'relay-tags',
    // Before types are stripped, which could change the tags.
    enforce: 'pre',
    transform(code, id) {
      const names: string[] = []
      const replaced = code.replaceAll(tag, (_, name: string) => {
        names.push(name)
        return `${name}Artifact`
      })
      if (names.length === 0) return undefined
      const imports = names.map((name) => `import ${name}Artifact from ${JSON.stringify(join(dirname(id), '__generated__', `${name}.graphql.ts`))};`)
      // On one line, so that line numbers stay the same.
      return { code: `${imports.join(' ')} ${replaced}`, map: null }
    },
  }
}
