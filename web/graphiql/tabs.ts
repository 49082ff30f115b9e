// The tabs that GraphiQL opens with, and where it remembers them.

import { Kind, parse, TokenKind } from 'graphql'
import type { PageData } from '../../src/site/graphiql-page.ts'

type Examples = PageData['examples']

export function exampleTabs(examples: Examples): { query: string }[] {
  return examples.map(({ title, text }) => ({ query: named(text, title) }))
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

/** Tabs are remembered for the examples they came from: another schema on the same address starts with its own. */
export function rememberedFor(examples: Examples): Pick<Storage, 'length' | 'getItem' | 'setItem' | 'removeItem' | 'clear'> {
  const own = `quire:${fingerprint(JSON.stringify(examples))}:`
  const name = (key: string) => (/:(tabState|query|variables|headers|operationName)$/.test(key) ? own + key : key)
  return {
    get length() {
      return localStorage.length
    },
    getItem: (key) => localStorage.getItem(name(key)),
    setItem: (key, value) => localStorage.setItem(name(key), value),
    removeItem: (key) => localStorage.removeItem(name(key)),
    clear: () => localStorage.clear(),
  }
}

function fingerprint(text: string): string {
  let hash = 5381
  for (const character of text) hash = (hash * 33 + character.codePointAt(0)!) % 4294967291
  return hash.toString(36)
}
