// The vocabulary as a page: every word in which a schema says how it is stored, with its arguments.
// It is made from the vocabulary itself, so it cannot say anything else than what is true.

import { Kind, print, type DefinitionNode, type DirectiveDefinitionNode, type InputValueDefinitionNode, type StringValueNode } from 'graphql'
import { vocabulary } from '../model/read-sdl.ts'
import { html, type Html } from './html.ts'

export function words(): Html {
  return html`${vocabulary.definitions.map(word)}`
}

function word(node: DefinitionNode): Html {
  switch (node.kind) {
    case Kind.DIRECTIVE_DEFINITION:
      return entry(`@${node.name.value}`, node.description, places(node), node.arguments ?? [])
    case Kind.ENUM_TYPE_DEFINITION:
      return html`<section class="word" id="${node.name.value}"><h2>${node.name.value}</h2>${prose(node.description)}
        <dl>${(node.values ?? []).map(({ name, description }) => html`<dt><code>${name.value}</code></dt><dd>${prose(description)}</dd>`)}</dl></section>`
    case Kind.SCALAR_TYPE_DEFINITION:
      return entry(node.name.value, node.description, '', [])
    default:
      return html``
  }
}

function entry(title: string, description: StringValueNode | undefined, where: string, given: readonly InputValueDefinitionNode[]): Html {
  return html`<section class="word" id="${title.replace('@', '')}">
    <h2>${title}</h2>${where === '' ? '' : html`<p class="where">${where}</p>`}${prose(description)}
    ${given.length === 0 ? '' : html`<dl>${given.map(argument)}</dl>`}
  </section>`
}

function argument({ name, type, defaultValue, description }: InputValueDefinitionNode): Html {
  const shown = `${name.value}: ${print(type)}${defaultValue ? ` = ${print(defaultValue)}` : ''}`
  return html`<dt><code>${shown}</code></dt><dd>${prose(description)}</dd>`
}

function places({ locations }: DirectiveDefinitionNode): string {
  return `on ${locations.map(({ value }) => value.toLowerCase().replaceAll('_', ' ')).join(', ')}`
}

/** Paragraphs, lists with stars, and code between backticks: what descriptions are written in. */
function prose(description: StringValueNode | undefined): Html {
  const blocks = (description?.value ?? '').split(/\n\n+/).filter((block) => block !== '')
  return html`${blocks.map((block) => block.startsWith('* ')
    ? html`<ul>${block.slice(2).split(/\n\* /).map((item) => html`<li>${inline(item)}</li>`)}</ul>`
    : html`<p>${inline(block)}</p>`)}`
}

function inline(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
}
