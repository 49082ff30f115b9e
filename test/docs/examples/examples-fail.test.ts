// The tests of examples fail where an example is wrong.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readFences } from './fences.ts'
import { openOperations } from './operations.ts'
import { shownAnswer } from './results.ts'
import { proseProblems, shellProblems } from './shell.ts'
import { stepsOf } from './steps.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-fences-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('commands, options, scripts, files and programs that do not exist', async () => {
  expect(await Promise.all(['npx quire chek', 'npx quire check --mend', 'quire explain', 'npm run nothing', 'node nowhere.js', 'frobnicate'].map(problems))).toEqual([1, 1, 1, 1, 1, 1])
  expect(await Promise.all(['npx quire check --repair', 'QUIRE_STORE=memory quire dev # to try it', 'npm ci && npm start', 'node bin/quire.js start'].map(problems))).toEqual([0, 0, 0, 0])
  expect(await proseProblems(['quire explain', 'quire init [folder]', 'quire mend', 'npx quire check --mend', 'QUIRE_STORE'])).toHaveLength(2)
})

test('blocks have their line, words, file and reason', () => {
  const page = join(folder, 'page.md')
  writeFileSync(page, '# A page\n\n```yaml not run: needs a cluster\na: 1\n```\n\n- an item\n\n  ```ts run\n  // some/file.ts\n  export {}\n  ```\n\n<!-- made by -->\n```json\n1\n```\n<!-- /made -->\n\n```json file=a.json\n2\n```\n')
  expect(readFences(page)).toMatchObject([
    { line: 3, language: 'yaml', notRun: 'needs a cluster', generated: false },
    { line: 9, language: 'ts', words: ['run'], file: 'some/file.ts', notRun: undefined },
    { line: 15, language: 'json', generated: true },
    { line: 20, language: 'json', file: 'a.json', generated: false },
  ])
})

test('an answer that differs from the one shown', async () => {
  const page = join(folder, 'operation.md')
  writeFileSync(page, '```graphql\n{ book(id: "b1") { name etag } }\n```\n\n```json result\n{ "data": { "book": { "name": "Another book", "etag": "…" } } }\n```\n')
  const [step] = stepsOf(readFences(page))
  const operations = openOperations()
  const answer = await operations.run(step!.operation, step!)
  await operations.close()
  const shown = JSON.parse(step!.result!.text) as unknown
  expect(shownAnswer(answer, shown)).toEqual({ data: { book: { name: 'Azure Cosmos DB 101', etag: '…' } } })
  expect(shownAnswer(answer, { data: {} })).not.toEqual({ data: {} })
})

async function problems(line: string): Promise<number> {
  return (await shellProblems(line, folder)).length
}
