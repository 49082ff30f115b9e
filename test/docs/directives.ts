// Writes docs/directives.md: every directive with its arguments, its example, and the messages for mistakes. Each mistake
// is really made, so the page shows the actual messages.

import { readDirectiveReference, type Block, type DirectiveEntry } from './directive-reference.ts'
import { openMemoryStore } from '../../src/store/memory/memory-store.ts'
import { readSchemaFolder } from '../../src/serve/schema-folder.ts'
import { openGateway } from '../harness.ts'
import { mistakes } from '../model/mistakes.ts'
import { problemsOf } from '../model/problems-of.ts'
import { patternsFolder } from './patterns.ts'

export async function directivesPage(): Promise<string> {
  const words = readDirectiveReference()
  const saidOf = await allSaid()
  return [
    '# Directives',
    opening,
    words.map(({ title, name, description }) => `- [${title}](#${name.toLowerCase()}): ${firstSentence(description)}`).join('\n'),
    ...words.map((word) => wordSection(word, saidOf[word.name])),
    `## Mistakes with no single word to blame\n\n${mistakesTable(saidOf['any']!)}`,
  ].join('\n\n') + '\n'
}

const opening = `The words in which a schema says how its data is stored, and two, \`@read\` and \`@atomic\`, that clients write in their
operations. A running gateway shows the same at \`/docs\`. Whatever is declared wrongly is said at start, all of it
at once, in one line each that names the type and the field; those lines are below too.

This page is made from [schema/vocabulary.graphql](../schema/vocabulary.graphql) by \`npm run docs\`, and a test keeps
it true: the examples are read as declarations, and the mistakes are made.
[Model your data](modelling.md) says when to use which.`

function wordSection({ title, where, description, entries }: DirectiveEntry, said: Said | undefined): string {
  const example = description.find((block) => block.kind === 'example')
  return [
    `## ${title}`,
    ...(where === '' ? [] : [`_${where}_`]),
    ...description.filter((block) => block !== example).map(blockText),
    ...(entries.length === 0 ? [] : [entriesTable(where === '' ? 'value' : 'argument', entries)]),
    ...(example ? [blockText(example)] : []),
    ...(said ? [mistakesTable(said)] : []),
  ].join('\n\n')
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text': return block.text
    case 'list': return block.items.map((item) => `- ${item}`).join('\n')
    case 'example': return `\`\`\`graphql\n${block.text}\n\`\`\``
  }
}

function entriesTable(name: string, entries: DirectiveEntry['entries']): string {
  return [`| ${name} | meaning |`, '|---|---|', ...entries.map(({ shown, description }) => `| \`${shown}\` | ${description.map(blockText).join(' ').replaceAll('\n', ' ')} |`)].join('\n')
}

/** What is said of each mistake. */
type Said = Readonly<Record<string, readonly string[]>>

/** Mistakes that clients make are in operations, and are made over a pattern of the guide. */
const wrongOperations: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  read: {
    'a negative max age': '{ books @read(maxStaleMs: -1) { nodes { name } } }',
    'a source that does not exist': '{ books @read(from: CACHE) { nodes { name } } }',
  },
  atomic: {
    'a query': 'query @atomic { books { nodes { name } } }',
  },
}

/** The messages of every mistake, by directive. */
async function allSaid(): Promise<Readonly<Record<string, Said>>> {
  const declared = Object.entries(mistakes).map(([word, ofWord]) => [word, Object.fromEntries(Object.entries(ofWord).map(([wrong, { sdl }]) => [wrong, problemsOf(sdl)]))] as const)
  const ask = await openGateway({ ...(await readSchemaFolder(`${patternsFolder}/07-snapshots`)), store: openMemoryStore })
  const said: Record<string, Said> = Object.fromEntries(declared)
  for (const [word, operations] of Object.entries(wrongOperations)) {
    const asked = await Promise.all(Object.entries(operations).map(async ([wrong, operation]) => [wrong, (await ask(operation)).errors!.map(({ message }) => message)] as const))
    said[word] = Object.fromEntries(asked)
  }
  await ask.close()
  return said
}

function mistakesTable(said: Said): string {
  return ['| mistake | message |', '|---|---|', ...Object.entries(said).map(([wrong, lines]) => `| ${wrong} | ${lines.map((line) => `\`${line}\``).join('<br>')} |`)].join('\n')
}

function firstSentence([block]: readonly Block[]): string {
  return block?.kind === 'text' ? (/^.*?[.:](?=\s|$)/s.exec(block.text)?.[0] ?? block.text).replaceAll('\n', ' ').replace(/:$/, '.') : ''
}
