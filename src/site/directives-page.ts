// The directive reference as HTML, generated from the SDL of the directives, so that it cannot get out of date.

import { html, type Html } from './html.ts'
import { readDirectiveReference, type Block, type DirectiveEntry } from './directive-reference.ts'

export function directiveSections(): Html {
  return html`${readDirectiveReference().map(section)}`
}

function section({ name, title, where, description, entries }: DirectiveEntry): Html {
  const [prose, examples] = [description.filter(({ kind }) => kind !== 'example'), description.filter(({ kind }) => kind === 'example')]
  return html`<section class="word" id="${name}">
    <h2>${title}</h2>${where === '' ? '' : html`<p class="where">${where}</p>`}${prose.map(blockHtml)}
    ${entries.length === 0 ? '' : html`<dl>${entries.map((entry) => html`<dt><code>${entry.shown}</code></dt><dd>${entry.description.map(blockHtml)}</dd>`)}</dl>`}
    ${examples.map(blockHtml)}
  </section>`
}

function blockHtml(block: Block): Html {
  switch (block.kind) {
    case 'text': return html`<p>${inline(block.text)}</p>`
    case 'list': return html`<ul>${block.items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
    case 'example': return html`<pre tabindex="0" aria-label="An example">${block.text}</pre>`
  }
}

function inline(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
}
