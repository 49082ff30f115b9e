// Every wrong declaration has one exact message; mistakes.ts has the schemas and what is said about each.

import { describe, expect, test } from 'vitest'
import { readSdl } from '../../src/model/read-sdl.ts'
import { mistakes } from './mistakes.ts'
import { problemsOf } from './problems-of.ts'

describe('a wrong declaration is refused with a message that says what to write', () => {
  for (const [wrong, { sdl, says }] of Object.values(mistakes).flatMap((ofWord) => Object.entries(ofWord))) {
    test(wrong, () => expect(problemsOf(sdl)).toEqual(says))
  }
})

test('all problems of a schema are told at once', () => {
  expect(problemsOf('type Post @document(container: "p") { title: [String] blog: Blog } type Blog @document(container: "b") { name: String }')).toHaveLength(4)
})

test('a syntax error names the file, the line and the column', () => {
  expect(() => readSdl('type Post {\n  id: }', 'post.graphql')).toThrow('post.graphql:2:7: Syntax Error: Expected Name, found "}".')
})

