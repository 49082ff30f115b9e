// The tabs that GraphiQL opens with, and the storage that keeps them.

import { Kind, parse, TokenKind } from 'graphql'
import type { PageData } from '../../src/site/graphiql-page.ts'

type Examples = PageData['examples']

/** The examples; the operation in the page's URL, if any, comes first. */
export function openingTabs(examples: Examples, asked: string | null): { defaultTabs: { query: string }[]; initialQuery?: string } {
  const queries = examples.map(({ title, text }) => named(text, title))
  if (asked === null) return { defaultTabs: queries.map((query) => ({ query })) }
  const first = queries[examples.findIndex(({ text }) => text === asked)] ?? asked
  return { defaultTabs: [first, ...queries.filter((query) => query !== first)].map((query) => ({ query })), initialQuery: first }
}

/** GraphiQL titles a tab by its operation's name, so an operation without one is named after its title. */
export function named(text: string, title: string): string {
  const [operation] = parse(text).definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION || operation.name || !operation.loc) return text
  const name = title.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '')
  const { start } = operation.loc
  const keyword = operation.loc.startToken.kind === TokenKind.NAME ? operation.operation.length : 0
  return `${text.slice(0, start)}${operation.operation} ${name}${keyword === 0 ? ' ' : ''}${text.slice(start + keyword)}`
}

/** Tabs are stored per set of examples, so that another schema on the same address starts with its own. */
export function rememberedFor(examples: Examples): Pick<Storage, 'length' | 'getItem' | 'setItem' | 'removeItem' | 'clear'> {
  const own = `quire:${fingerprint(JSON.stringify(examples))}:`
  const name = (key: string) => (/:(tabState|query|variables|headers|operationName)$/.test(key) ? own + key : key)
  return {
    get length() {
      return ours().length
    },
    getItem: (key) => localStorage.getItem(name(key)),
    setItem: (key, value) => localStorage.setItem(name(key), value),
    removeItem: (key) => localStorage.removeItem(name(key)),
    clear: () => ours().forEach((key) => localStorage.removeItem(key)),
  }
}

function ours(): string[] {
  return Object.keys(localStorage).filter((key) => /^(graphiql|quire):/.test(key))
}

function fingerprint(text: string): string {
  let hash = 5381
  for (const character of text) hash = (hash * 33 + character.codePointAt(0)!) % 4294967291
  return hash.toString(36)
}
