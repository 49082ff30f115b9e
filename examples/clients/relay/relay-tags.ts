// Puts what relay-compiler has made of a `graphql` tag in the tag's place, as babel-plugin-relay and its like do
// for bundlers. It is all that this example needs of them.

import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const tag = /\bgraphql`\s*(?:query|mutation|subscription|fragment)\s+(\w+)[^`]*`/g

export function relayTags(): Plugin {
  return {
    name: 'relay-tags',
    // Before types are stripped, while tags are as they were written.
    enforce: 'pre',
    transform(code, id) {
      const names: string[] = []
      const replaced = code.replaceAll(tag, (_, name: string) => {
        names.push(name)
        return `${name}Artifact`
      })
      if (names.length === 0) return undefined
      const imports = names.map((name) => `import ${name}Artifact from ${JSON.stringify(join(dirname(id), '__generated__', `${name}.graphql.ts`))};`)
      // On one line, so that the others keep their numbers.
      return { code: `${imports.join(' ')} ${replaced}`, map: null }
    },
  }
}
