// Reads the gateway's data for the page from a JSON block in the HTML.

import type { PageData } from '../../src/site/graphiql-page.ts'

export function readPageData(): PageData {
  const block = document.getElementById('quire-page')
  return block?.textContent ? (JSON.parse(block.textContent) as PageData) : { examples: [], naive: false }
}
