// Splits a query's text into tokens, and walks over them. Keywords are words like any other here.

import { Refusal } from '../http-messages.ts'

export interface Token {
  readonly kind: 'word' | 'parameter' | 'string' | 'number' | 'symbol' | 'end'
  readonly text: string
  readonly start: number
  readonly end: number
}

const pattern = /\s*(?:(?<word>[A-Za-z_]\w*)|(?<parameter>@\w+)|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<symbol><=|>=|!=|<>|[()[\]{},.:*=<>]))/y
const kinds = ['word', 'parameter', 'string', 'number', 'symbol'] as const

export class Tokens {
  readonly text: string
  private readonly tokens: readonly Token[]
  private position = 0

  constructor(text: string) {
    this.text = text
    this.tokens = tokenise(text)
  }

  get next(): Token {
    return this.at(0)
  }

  /** The token that comes `ahead` places after the next one. */
  at(ahead: number): Token {
    return this.tokens[this.position + ahead] ?? { kind: 'end', text: 'the end', start: this.text.length, end: this.text.length }
  }

  /** Where the last token that was taken ends. */
  get end(): number {
    return this.tokens[this.position - 1]?.end ?? 0
  }

  take(): Token {
    const token = this.next
    this.position += 1
    return token
  }

  is(text: string, ahead = 0): boolean {
    const token = this.at(ahead)
    return (token.kind === 'symbol' && token.text === text) || (token.kind === 'word' && token.text.toUpperCase() === text)
  }

  /** Takes the token if it is the expected one. */
  accept(text: string): boolean {
    if (!this.is(text)) return false
    this.position += 1
    return true
  }

  expect(...texts: string[]): void {
    for (const text of texts) if (!this.accept(text)) this.fail(`'${text}'`)
  }

  word(): string {
    if (this.next.kind !== 'word') this.fail('a name')
    return this.take().text
  }

  fail(expected: string): never {
    throw new Refusal(400, `Syntax error, incorrect syntax near '${this.next.text}' at position ${this.next.start}: expected ${expected}.`)
  }
}

function tokenise(text: string): Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  pattern.lastIndex = 0
  while (pattern.lastIndex < end) {
    const from = pattern.lastIndex
    const match = pattern.exec(text)
    const kind = kinds.find((each) => match?.groups?.[each] !== undefined)
    const token = kind === undefined ? undefined : match?.groups?.[kind]
    if (kind === undefined || token === undefined) {
      throw new Refusal(400, `Syntax error, unexpected character near '${text.slice(from, from + 10).trim()}' at position ${from}.`)
    }
    tokens.push({ kind, text: token, start: pattern.lastIndex - token.length, end: pattern.lastIndex })
  }
  return tokens
}
