// The vocabulary as a page: every word in which a schema says how it is stored, with its arguments and
// an example. It is made from the vocabulary itself, so it cannot say anything else than what is true.

import { html, type Html } from './html.ts'
import { readWords, type Block, type Word } from './directive-reference.ts'

export function words(): Html {
  return html`${readWords().map(word)}`
}

function word({ name, title, where, description, entries }: Word): Html {
  const [said, shown] = [description.filter(({ kind }) => kind !== 'example'), description.filter(({ kind }) => kind === 'example')]
  return html`<section class="word" id="${name}">
    <h2>${title}</h2>${where === '' ? '' : html`<p class="where">${where}</p>`}${said.map(shownAs)}
    ${entries.length === 0 ? '' : html`<dl>${entries.map((entry) => html`<dt><code>${entry.shown}</code></dt><dd>${entry.description.map(shownAs)}</dd>`)}</dl>`}
    ${shown.map(shownAs)}
  </section>`
}

function shownAs(block: Block): Html {
  switch (block.kind) {
    case 'text': return html`<p>${inline(block.text)}</p>`
    case 'list': return html`<ul>${block.items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
    case 'example': return html`<pre tabindex="0" aria-label="An example">${block.text}</pre>`
  }
}

function inline(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
}
