// A lexer that counts tokens, directives and open brackets, so that parsing stops at the limit: the parser uses one stack
// frame per open bracket.

import { Lexer, Source, TokenKind, type Token } from 'graphql'
import type { RequestSteps } from '../../plan/request-steps.ts'
import { limitExceeded, type LimitName, type Limits } from './request-limits.ts'

export class CountingLexer extends Lexer {
  readonly #limits: Limits
  readonly #steps: RequestSteps
  #tokens = 0
  #directives = 0
  #open = 0

  constructor(text: string, limits: Limits, steps: RequestSteps) {
    super(new Source(text))
    this.#limits = limits
    this.#steps = steps
  }

  override advance(): Token {
    const token = super.advance()
    const { tokens, directives, nesting } = this.#limits
    this.#steps.take(1)
    if (++this.#tokens > tokens && token.kind !== TokenKind.EOF) throw this.#exceeded('tokens', token)
    if (opening.has(token.kind) && ++this.#open > nesting) throw this.#exceeded('nesting', token)
    if (closing.has(token.kind)) this.#open--
    if (token.kind === TokenKind.AT && ++this.#directives > directives) throw this.#exceeded('directives', token)
    return token
  }

  #exceeded(name: LimitName, { start }: Token) {
    return limitExceeded(name, this.#limits, { source: this.source, positions: [start] })
  }
}

const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])
