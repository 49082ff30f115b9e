import { expect, test } from 'vitest'
import { bucketKey } from '../../src/model/keys/bucket.ts'
import type { Body } from '../../src/model/json/json.ts'
import { openGateway, stores } from '../harness.ts'
import { relationSuite } from './relation-suite.ts'

const sdl = `
  type Post @document(container: "posts", partitionKey: "/postId", type: "post") {
    id: ID!
    countOfComments: Int! @counted(relation: "comments")
    comments: CommentConnection! @bucketed(at: "recentComments", recent: 2, size: 3, key: "postId", type: "comments")
  }
  type Comment { id: ID! text: String! by: User @reference(at: "userId") }
  type User @document(container: "users") { id: ID! name: String! }
`

/** A post with that many comments, and its buckets, as they are stored. */
function post(id: string, count: number): Body[] {
  const comments = Array.from({ length: count }, (_, number) => ({ id: `${id}c${number}`, number, text: `${number}`, ...(number % 2 ? { userId: 'u' } : {}) }))
  const older = comments.slice(0, -2)
  const buckets = Array.from({ length: Math.ceil(older.length / 3) }, (_, bucket) => ({
    id: bucketKey(id, 'comments', bucket).id, postId: id, type: 'comments', entries: older.slice(bucket * 3, bucket * 3 + 3),
  }))
  return [{ id, type: 'post', countOfComments: count, recentComments: comments.slice(-2).toReversed() }, ...buckets]
}

const documents = { Post: [...post('p0', 0), ...post('p2', 2), ...post('p9', 9)].map((body) => ({ ...body, postId: body['postId'] ?? body['id']! })), User: [{ id: 'u', name: 'Uma' }] }

const texts = (...numbers: number[]) => numbers.map((number) => ({ text: `${number}` }))

relationSuite('bucketed', sdl, documents, {
  'the newest entries are read from the document': {
    query: '{ posts { nodes { countOfComments comments(first: 2) { totalCount nodes { text } pageInfo { hasNextPage } } } } }',
    answer: { posts: { nodes: [
      { countOfComments: 0, comments: { totalCount: 0, nodes: [], pageInfo: { hasNextPage: false } } },
      { countOfComments: 2, comments: { totalCount: 2, nodes: texts(1, 0), pageInfo: { hasNextPage: false } } },
      { countOfComments: 9, comments: { totalCount: 9, nodes: texts(8, 7), pageInfo: { hasNextPage: true } } },
    ] } },
    reads: ['1 query posts'],
    naive: 1,
  },
  'older entries are read from all their buckets in one round trip': {
    query: '{ post(id: "p9") { comments(first: 7) { nodes { text } } } }',
    answer: { post: { comments: { nodes: texts(8, 7, 6, 5, 4, 3, 2) } } },
    reads: ['1 read posts 1', '2 read posts 3'],
    naive: 4,
  },
  'the last entries are read from the oldest bucket': {
    query: '{ post(id: "p9") { comments(last: 2) { nodes { text } pageInfo { hasPreviousPage hasNextPage } } } }',
    answer: { post: { comments: { nodes: texts(1, 0), pageInfo: { hasPreviousPage: true, hasNextPage: false } } } },
    reads: ['1 read posts 1', '2 read posts 1'],
    naive: 2,
  },
  'a relation of an entry is looked up, from the document and from buckets': {
    query: '{ posts { nodes { comments(first: 4) { nodes { by { name } } } } } }',
    answer: { posts: { nodes: [
      { comments: { nodes: [] } },
      { comments: { nodes: [{ by: { name: 'Uma' } }, { by: null }] } },
      { comments: { nodes: [{ by: null }, { by: { name: 'Uma' } }, { by: null }, { by: { name: 'Uma' } }] } },
    ] } },
    reads: ['1 query posts', '2 read users 1', '2 read posts 2'],
    naive: 6,
  },
  'buckets are not listed as documents of the type in the same container': {
    query: '{ posts { totalCount nodes { id } } }',
    answer: { posts: { totalCount: 3, nodes: [{ id: 'p0' }, { id: 'p2' }, { id: 'p9' }] } },
    reads: ['1 count posts', '1 query posts'],
    naive: 2,
  },
})

test.each(stores)('walking the pages finds every entry once, in both directions ($name)', async ({ store }) => {
  const ask = await openGateway({ typeDefs: sdl, store, documents })
  for (const [count, cursor, start, more] of [['first', 'after', 'endCursor', 'hasNextPage'], ['last', 'before', 'startCursor', 'hasPreviousPage']] as const) {
    const seen: string[] = []
    let position: string | undefined
    for (;;) {
      const { data } = await ask(
        `query ($c: String) { post(id: "p9") { comments(${count}: 2, ${cursor}: $c) { nodes { text } pageInfo { ${start} ${more} } } } }`,
        { variables: { c: position } })
      const { nodes, pageInfo } = (data as { post: { comments: { nodes: { text: string }[]; pageInfo: Record<string, string | boolean> } } }).post.comments
      const page = nodes.map(({ text }) => text)
      seen.splice(count === 'first' ? seen.length : 0, 0, ...page)
      if (!pageInfo[more]) break
      position = String(pageInfo[start])
    }
    expect(seen).toEqual(['8', '7', '6', '5', '4', '3', '2', '1', '0'])
  }
})
