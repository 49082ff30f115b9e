// Every wrong declaration has one exact message; mistakes.ts has the schemas and their messages.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DeclarationError } from '../../src/model/sdl/declaration-error.ts'
import { readSdl, readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { mistakes, post } from './mistakes.ts'
import { problemsOf } from './problems-of.ts'

const graphqlCases: { [wrong: string]: { sdl: string; says: string[] } } = {
  'a misspelt directive': {
    sdl: 'type Post @documnt(container: "posts") { id: ID! }',
    says: ['post.graphql:1:11: Unknown directive "@documnt". Did you mean "@document"?'],
  },
  'two arguments of the wrong type': {
    sdl: 'type Post @document(container: 3) { id: ID! }\ntype Blog @document(container: "b", plural: 4) { id: ID! }',
    says: ['post.graphql:1:32: @document: Argument "container" has invalid value 3.', 'post.graphql:2:45: @document: Argument "plural" has invalid value 4.'],
  },
  'two unknown types': {
    sdl: 'type Post @document(container: "posts") {\n  id: ID!\n  a: A @reference(at: "a")\n  b: B @reference(at: "b")\n}',
    says: ['post.graphql:3:6: Unknown type "A".', 'post.graphql:4:6: Unknown type "B".'],
  },
  'a second type Query': {
    sdl: `${post}\ntype Query { posts: Int }`,
    says: ['post.graphql:2:6: There can be only one type named "Query". Quire defines it. Write "extend type Query" to add fields.'],
  },
  'an interface that is not implemented': {
    sdl: 'interface Named { name: String! }\ntype Post implements Named @document(container: "posts") { id: ID! }',
    says: ['post.graphql:2:1: Interface field Named.name expected but Post does not provide it.'],
  },
  'a partition key that is a number': {
    sdl: '"A post."\ntype Post @document(container: "posts", partitionKey: 5) { id: ID! }',
    says: ['post.graphql:2:6: Post: the partition key is neither a path nor an object. Write a path like "/postId", a list of paths, or { concat: [...] }.'],
  },
  'a list of lists': {
    sdl: 'type Post @document(container: "posts") {\n  id: ID!\n  grid: [[Int!]!]! @contained(max: 4)\n}',
    says: [expect.stringMatching(/^post\.graphql:3:3: Post\.grid: .*\[Int!\]! @contained\(max: …\)/) as string],
  },
  'an operator of every filter, and a field of every input': {
    sdl: 'type Post @document(container: "posts") {\n  id: ID!\n  and: Int @indexed\n  ifMatch: String\n}',
    says: [expect.stringMatching(/^post\.graphql:3:3: Post\.and: /) as string, expect.stringMatching(/^post\.graphql:4:3: Post\.ifMatch: /) as string],
  },
  'a type with a generated name': {
    sdl: `${post}\n\ninput PostFilter { title: String }`,
    says: [expect.stringMatching(/^post\.graphql:3:7: PostFilter: /) as string],
  },
  'an edge of a connection that Quire generates': {
    sdl: `${post}\ntype PostEdge { at: Int }\nextend type Query { best: PostConnection }`,
    says: [expect.stringMatching(/^post\.graphql:2:6: .*"PostEdge".*PostConnection/) as string],
  },
  'a type that is defined twice': {
    sdl: `${post}\ntype CuttingEdge { at: Int }\ntype CuttingEdge { at: Int }`,
    says: [expect.stringMatching(/^post\.graphql:3:6: .*"CuttingEdge"(?!.*Quire)/) as string, expect.stringContaining('"CuttingEdge.at"') as string],
  },
  'a root field and a type that every schema has': {
    sdl: `${post}\nextend type Query { node: Int }\ntype PageInfo { at: Int }`,
    says: [expect.stringMatching(/^post\.graphql:2:21: .*"Query\.node".* Rename/) as string, expect.stringMatching(/^post\.graphql:3:6: .*"PageInfo".* Rename/) as string],
  },
  'a field of the second type': {
    sdl: `${post}\ntype Blog @document(container: "blogs") {\n  id: ID!\n  post: Post!\n}`,
    says: ['post.graphql:4:3: Blog.post: it returns Post documents but does not declare how to find them. Add @reference, @snapshot, @reverse or @joined, or @resolved with a resolver.'],
  },
}

describe('problems of SDL from a file name the file, line and column', () => {
  for (const [wrong, { sdl, says }] of Object.entries(graphqlCases)) {
    test(wrong, () => expect(problemsOf(sdl, {}, 'post.graphql')).toEqual(says))
  }

  test('syntax errors of several files are reported together', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-sdl-'))
    writeFileSync(join(folder, 'a.graphql'), 'type')
    writeFileSync(join(folder, 'b.graphql'), '\n}')
    expect(() => readSdlFolder(folder)).toThrow(new DeclarationError(['a.graphql:1:5: Syntax Error: Expected Name, found <EOF>.', 'b.graphql:2:1: Syntax Error: Unexpected "}".']))
    rmSync(folder, { recursive: true })
  })
})

describe('a wrong declaration is rejected, and the message says what to write', () => {
  for (const [wrong, { sdl, says }] of Object.values(mistakes).flatMap((ofWord) => Object.entries(ofWord))) {
    test(wrong, () => expect(problemsOf(sdl)).toEqual(says))
  }
})

test('arguments and results of root fields with resolvers of their own may be lists of lists', () => {
  expect(problemsOf(`${post} extend type Query { turned(grid: [[Int!]!]!): Turned rows: [[Post!]!]! } type Turned { grid: [[Int!]!]! @contained(max: 4) }
    extend type Mutation { turn(input: TurnInput!): TurnPayload } input TurnInput { grid: [[Int!]!]! } type TurnPayload { grid: [[Int!]!]! }`)).toEqual([])
})

test('all problems of a schema are reported together', () => {
  expect(problemsOf('type Post @document(container: "p") { title: [String] blog: Blog } type Blog @document(container: "b") { name: String }')).toHaveLength(4)
})

test('a syntax error names the file, the line and the column', () => {
  expect(() => readSdl('type Post {\n  id: }', 'post.graphql')).toThrow('post.graphql:2:7: Syntax Error: Expected Name, found "}".')
})

