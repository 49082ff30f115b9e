// What the gateway tells the page about itself, in a block of the page.

import type { PageData } from '../../src/site/graphiql-page.ts'

export function readPageData(): PageData {
  const block = document.getElementById('quire-page')
  return block?.textContent ? (JSON.parse(block.textContent) as PageData) : { examples: [], naive: false }
}
