// Reads a pattern, in the syntax of JavaScript's regular expressions with the flag u. What a single character may be is left to
// JavaScript, which cannot backtrack over one character.

export type Node =
  | { readonly kind: 'character'; readonly is: (codePoint: number) => boolean }
  | { readonly kind: 'end'; readonly at: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'either'; readonly parts: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number }

/** Or what is wrong with it, to be read after the pattern. */
export function parsePattern(source: string): Node | string {
  try {
    RegExp(source, 'u')
  } catch (error) {
    return `is no regular expression: ${error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error)}`
  }
  try {
    return new Parser(source).either()
  } catch (error) {
    if (error instanceof Unsupported) return error.message
    throw error
  }
}

class Unsupported extends Error {}

/** The expression is valid, so only its structure has to be found. */
class Parser {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  either(): Node {
    const parts = [this.#sequence()]
    while (this.#take('|')) parts.push(this.#sequence())
    return parts.length === 1 ? parts[0]! : { kind: 'either', parts }
  }

  #sequence(): Node {
    const parts: Node[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) parts.push(this.#repeated())
    return { kind: 'sequence', parts }
  }

  #repeated(): Node {
    const part = this.#atom()
    const [quantifier, least, more, most] = this.#match(/(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y) ?? []
    if (quantifier === undefined) return part
    if (least === undefined) return { kind: 'repeat', part, min: quantifier[0] === '+' ? 1 : 0, max: quantifier[0] === '?' ? 1 : Infinity }
    return { kind: 'repeat', part, min: Number(least), max: more === '' ? Number(least) : most === '' ? Infinity : Number(most) }
  }

  #atom(): Node {
    if (this.#take('^')) return { kind: 'end', at: 'start' }
    if (this.#take('$')) return { kind: 'end', at: 'end' }
    if (this.#match(/\((?:\?:|\?<(?![=!])[^>]*>)|\((?!\?)/y)) {
      const inner = this.either()
      this.#take(')')
      return inner
    }
    if (this.#match(/\(\?/y)) throw new Unsupported('looks ahead or behind, or changes flags, which takes backtracking. Write it without')
    if (this.#match(/\\[bB]/y)) throw new Unsupported('has a word boundary (\\b), which is not supported. Name the characters beside it')
    if (this.#match(/\\(?:[1-9]|k<)/y)) throw new Unsupported('refers back to a group, which takes backtracking. Write it without')
    const [text] = this.#match(/\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|.)|[^]/yu)!
    return { kind: 'character', is: characterTest(text) }
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source) ?? undefined
    if (found) this.#at += found[0].length
    return found
  }
}

/** What JavaScript says of one character; of ASCII it is asked once. */
function characterTest(text: string): (codePoint: number) => boolean {
  const expression = new RegExp(`^${text}$`, 'u')
  const ascii = Array.from({ length: 128 }, (_, codePoint) => expression.test(String.fromCodePoint(codePoint)))
  return (codePoint) => ascii[codePoint] ?? expression.test(String.fromCodePoint(codePoint))
}
