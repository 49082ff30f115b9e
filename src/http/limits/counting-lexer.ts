// Counts tokens while they are read, and how deep brackets stand in each other, so that a parser which
// goes down one step of its stack for each of them never gets far.

import { Lexer, Source, TokenKind, type Token } from 'graphql'
import { beyondLimit, type Limits } from './limits.ts'

export class CountingLexer extends Lexer {
  readonly #limits: Limits
  #tokens = 0
  #directives = 0
  #open = 0

  constructor(text: string, limits: Limits) {
    super(new Source(text))
    this.#limits = limits
  }

  override advance(): Token {
    const token = super.advance()
    const { tokens, directives, nesting } = this.#limits
    if (++this.#tokens > tokens && token.kind !== TokenKind.EOF) throw this.#beyond(token, `The document has more than ${tokens} tokens. Ask for less at a time.`)
    if (opening.has(token.kind) && ++this.#open > nesting) throw this.#beyond(token, `The document is nested more than ${nesting} levels deep. Ask for less at a time.`)
    if (closing.has(token.kind)) this.#open--
    if (token.kind === TokenKind.AT && ++this.#directives > directives) throw this.#beyond(token, `The document has more than ${directives} directives. Leave some out.`)
    return token
  }

  #beyond({ start }: Token, message: string) {
    return beyondLimit(message, { source: this.source, positions: [start] })
  }
}

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])
