// One word per idea: the words that Quire does not use, and what to say instead, in comments, messages, tests and pages. To ban another
// one, add a line to the table. Lines that need a word, such as recorded results and ids of examples, are named as exceptions.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Banned {
  readonly word: RegExp
  readonly say: string
  /** Where it is banned; default everywhere. */
  readonly inside?: RegExp
  /** Lines that need it. */
  readonly except?: RegExp
}

/** What readers of the program and its pages see. Tests and benchmarks may call an unknown id `nobody`. */
const prose = /^(?:src|docs|web|schema|examples)\/|^(?:README|CHANGELOG)\.md$/

const banned: readonly Banned[] = [
  { word: /\bwho(?:m|so)?ever\b/i, say: 'the viewer, the client, the process: the subject by its name' },
  { word: /\bgravestones?\b/i, say: 'tombstone' },
  { word: /\bledgers?\b/i, say: 'cost report, read log', except: /'Ledger', 'Letter'/ },
  { word: /\berrands?\b/i, say: 'operation context' },
  { word: /\bmend(?:s|ed|ing)?\b/i, say: 'repair', except: /check --mend|'quire mend'/ },
  { word: /\b(?:short|long) way\b/i, say: 'fast path; through Yoga' },
  { word: /\bshort-way\b/i, say: 'fast path' },
  { word: /\bin hand\b/i, say: 'synchronous, already read' },
  { word: /\bgoes? without saying\b/i, say: 'default' },
  { word: /\banew\b/i, say: 'again, recomputed, restarted' },
  { word: /\bforegone\b/i, say: 'can skip' },
  { word: /\b(?:hence|thus|thereby|thereof|whereby|wherein|whereupon|therein|hitherto|lest|unto|nay|aught|naught)\b/i, say: 'so, with it, in which' },
  { word: /\bby halves\b/i, say: 'by binary search; partly' },
  { word: /\bnot for you to\b/i, say: 'Forbidden: Type.field requires role …' },
  { word: /\bcost account\b|\baccount\??\.(?:made|naive|saved|calls|relations|staleness)\b/i, say: 'cost report; an account is one of Azure' },
  { word: /\b(?:nobody|somebody)\b/i, say: 'no viewer, no process, another writer', inside: prose, except: /no Author nobody|Editor nobody|"nobody"|Nobody copies this|^- (?:who sent them|writes of which)/ },
  // A page or a test that names a folder of one machine works on that machine only.
  { word: /(?<![\w"'.:])\/(?:home|Users|root)\/(?!someone\/|me\/)[a-z][\w-]*\/|\/tmp\/wt\/|\/work\/|\b[A-Z]:\\\\Users\\\\/, say: 'a path from the root of the repository', except: /\$\{/ },
]

/** Generated, measured or foreign: results of benchmarks, recorded answers, data that was imported. */
const foreign = /(?:^|\/)(?:results|peers|data|vectors|generated|node_modules)\/|package-lock\.json$|\.snap$|^test\/words\.test\.ts$/

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', 'src', 'docs', 'web', 'bench', 'reliability', 'test', 'schema', 'examples', 'README.md', 'CHANGELOG.md'], { encoding: 'utf8' })
  .split('\n').filter((file) => /\.(?:ts|js|mjs|md|css|html|graphql|txt)$/.test(file) && !foreign.test(file))

function bannedIn(file: string, text: string): string[] {
  const rules = banned.filter(({ inside }) => inside?.test(file) ?? true)
  return text.split('\n').flatMap((line, at) => rules
    .filter(({ word, except }) => word.test(line) && !except?.test(line))
    .map(({ word, say }) => `${file}:${at + 1} says "${word.exec(line)![0]}". Say: ${say}.`))
}

test('every page, comment, message and test says things in the words of the table', () => {
  expect(files.length).toBeGreaterThan(1500)
  expect(files.flatMap((file) => bannedIn(file, readFileSync(file, 'utf8')))).toEqual([])
})

test.each([
  ['whoever', '// Whoever waits for it hears of it.', 'src/a.ts'],
  ['gravestone', 'Where a gravestone stands nothing is there.', 'docs/a.md'],
  ['mended', "test('what is mended is repaired', () => {", 'test/a.test.ts'],
  ['an account that is none of Azure', "expect(account.made.waves).toBe(1)", 'test/a.test.ts'],
  ['anew', 'The count is made anew for each run.', 'bench/a.ts'],
  ['nobody', "throw new Error('nobody may write')", 'src/a.ts'],
  ['a path', 'Run it in /home/ada/quire/bench.', 'README.md'],
  ['a path', 'cd /work/repo', 'docs/a.md'],
])('%s is found where it is planted', (_, line, file) => {
  expect(bannedIn(file, `First.\n${line}\n`)).toEqual([expect.stringContaining(`${file}:2 says "`)])
})

test('tests may ask for an author called nobody, and pages may not speak of one', () => {
  expect(bannedIn('test/a.test.ts', "ask('{ author(id: nobody) }')")).toEqual([])
  expect(bannedIn('docs/a.md', 'In production nobody may write.')).toHaveLength(1)
})
