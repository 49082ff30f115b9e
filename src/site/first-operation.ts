// The operation that GraphiQL opens with if the schema has no examples: some documents of the type with the most relations.

import type { DocumentType, Field, Model } from '../model/model.ts'

/**
 * An operation that GraphiQL opens with.
 *
 * @example
 * ```ts
 * const example: Example = { title: 'Everything', text: '{ beasts { nodes { name } } }' }
 * ```
 */
export interface Example {
  readonly title: string
  readonly text: string
}

export function welcomeExample({ documents }: Model): Example[] {
  const [type] = [...documents.values()].toSorted((one, other) => pointing(other, documents).length - pointing(one, documents).length)
  if (!type) return []
  const plain = leaves(type).slice(0, 5)
  const relations = pointing(type, documents).slice(0, 2).map((field) => `${field.name} { ${leaves(documents.get(field.target)!).slice(0, 2).join(' ')} }`)
  const lines = [...plain, ...relations].map((line) => `      ${line}`)
  return [{ title: 'Welcome', text: `# The first ten ${type.plural}. Run it: the panel beside the answer shows what it cost.\nquery Welcome {\n  ${type.plural}(first: 10) {\n    nodes {\n${lines.join('\n')}\n    }\n  }\n}\n` }]
}

function leaves(type: DocumentType): string[] {
  return [...type.fields.values()].filter(({ leaf }) => leaf).map(({ name }) => name)
}

/** Relations that are not paged. */
function pointing(type: DocumentType, documents: Model['documents']): Field[] {
  return [...type.fields.values()].filter(({ target, shape }) => documents.has(target) && shape !== 'connection')
}
