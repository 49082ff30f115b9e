// Each fault of the list can still be put into the sources, and its test is there. `npm run reliability -- mutants` tries them all.

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutants } from '../../reliability/mutants/mutants.ts'

test.each(mutants)('$what', ({ file, line, becomes, test: of, title }) => {
  expect(readFileSync(file, 'utf8').split(line).length - 1).toBe(1)
  expect(becomes).not.toBe(line)
  expect(existsSync(of)).toBe(true)
  if (title !== '') expect(readFileSync(of, 'utf8')).toContain(title.replace(/ ends$/, ''))
})
