// What `npm run docs` makes is what is in the repository.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documents } from './make.ts'

test.each(Object.keys(documents))('%s is up to date; if not, "npm run docs" makes it so', async (file) => {
  const text = readFileSync(file, 'utf8')
  expect(await documents[file]!(text)).toBe(text)
})
