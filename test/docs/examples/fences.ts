// The code blocks of the documentation. The first word after the backticks is the language; what follows says how the block is tested:
//
//   graphql                     SDL is built. Operations are run, on the page's schema folder if it has one, or on the shipped library.
//   graphql production          an operation for the production profile, with everything open
//   json result                 the answer to the operation above; "…" stands for any value
//   json variables              the variables of the operation below; "…" stands for that value of the last answer
//   json headers                the headers of the operation below, likewise
//   json documents              several documents, one after the other
//   csv                         a file for the page's own test
//   ts, js                      type-checked; a file called *.test.ts is also run, and so is a block with the word "run"
//   sh                          each command exists, with its options, scripts and files
//   LANGUAGE not run: REASON    everything else; the test lists the reasons
//
// A block whose first line is a comment with a path (`// blog/derive.ts`), or that has the word `file=PATH`, is written to that file.
// Blocks between `<!-- … -->` markers are generated, and documents.test.ts compares them.

import { globSync, readFileSync } from 'node:fs'
import { lexer, type Token } from 'marked'

export interface Fence {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly words: readonly string[]
  readonly text: string
  /** Where its text is written, relative to the folder of its page. */
  readonly file: string | undefined
  /** Why it is not run. */
  readonly notRun: string | undefined
  /** Made by `npm run docs` or a command that measures. */
  readonly generated: boolean
}

export const pages = ['README.md', 'package/README.md', ...globSync('docs/*.md').toSorted()]

export function readFences(page: string): Fence[] {
  const text = readFileSync(page, 'utf8')
  const fences: Fence[] = []
  let [from, generated] = [0, false]
  for (const token of allTokens(lexer(text))) {
    if (token.type === 'html') generated = /<!-- \w.*? -->\s*$/.test(token.raw) || (generated && !token.raw.includes('<!-- /'))
    if (token.type !== 'code') continue
    const at = text.indexOf(token.raw.trimStart().split('\n')[0]!, from)
    from = at + token.raw.trim().length
    fences.push({ ...readInfo(token.lang ?? '', token.text ?? ''), page, line: text.slice(0, at).split('\n').length, text: `${token.text}\n`, generated })
  }
  return fences
}

function readInfo(info: string, text: string): Pick<Fence, 'language' | 'words' | 'file' | 'notRun'> {
  const [, known, notRun] = /^(.*?)(?: ?not run: (.+))?$/.exec(info)!
  const [language = '', ...words] = known!.split(' ')
  const file = words.find((word) => word.startsWith('file='))?.slice('file='.length) ?? /^(?:#|\/\/) ((?:[\w.-]+\/)*[\w.-]+\.\w+)\n/.exec(text)?.[1]
  return { language, words, file, notRun }
}

/** Blocks may be in list items. */
function* allTokens(tokens: readonly Token[]): Generator<Token & { lang?: string; text?: string }> {
  for (const token of tokens) {
    yield token
    if (token.type === 'list') for (const item of (token as { items: readonly { tokens: Token[] }[] }).items) yield* allTokens(item.tokens)
    if (token.type === 'blockquote') yield* allTokens((token as { tokens: Token[] }).tokens)
  }
}

/** The code in a page's prose and tables. */
export function inlineCode(page: string): string[] {
  const prose = readFileSync(page, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)
}
