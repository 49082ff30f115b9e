// The blog, served by the same engine as the shipped schema: every directive of the vocabulary and
// every form of partition key, with the answers and the reads of each operation on every store.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kind, parse, visit } from 'graphql'
import { describe, expect, test } from 'vitest'
import { readDeclaration } from '../../src/relations/declaration.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import type { Store } from '../../src/store/store.ts'
import { openGateway, stores } from '../harness.ts'
import { recordingStore, type RecordedCall } from '../read/recording-store.ts'
import { expectReads } from '../calls.ts'
import { expectAllWaysAgree, relationSuite } from '../relations/relation-suite.ts'
import { derive, documents, schema, sdl } from './blog.ts'

/** Directives with a schema of their own, and its test. */
const elsewhere: Readonly<Record<string, string>> = {
  aggregated: 'relations/aggregated.test.ts',
  constraint: 'write/constraints.test.ts',
  default: 'write/constraints.test.ts',
  frozen: 'relations/frozen.test.ts',
  index: 'plan/nested-list.test.ts',
  resolved: 'execute/custom-resolvers.test.ts',
  subscribable: 'feed/change-subscriptions.test.ts',
  unique: 'write/unique.test.ts',
}

test('the blog declares storage with every directive that the vocabulary has for it, or another schema does', () => {
  expect(storageDirectives()).toContain('bucketed')
  expect(storageDirectives().filter((name) => !usedDirectives().has(name)).toSorted()).toEqual(Object.keys(elsewhere))
  for (const [name, file] of Object.entries(elsewhere)) expect(readFileSync(join(import.meta.dirname, '..', file), 'utf8'), name).toContain(`@${name}`)
})

relationSuite('posts', sdl, documents, {
  'a list of posts shows authors, days, states and derived names with one query': {
    query: '{ posts { nodes { title slug status publishedOn author { name avatar { url } } } } }',
    answer: { posts: { nodes: [
      { title: 'Hello, World', slug: 'hello-world', status: 'PUBLISHED', publishedOn: '2026-01-05', author: { name: 'Ada Quill', avatar: { url: 'ada.png' } } },
      { title: 'Buckets!', slug: 'buckets-', status: 'PUBLISHED', publishedOn: '2026-03-09', author: { name: 'Ben Inkwell', avatar: null } },
      { title: 'Old news', slug: 'old-news', status: 'RETIRED', publishedOn: '2026-01-05', author: { name: 'Ada Quill', avatar: { url: 'ada.png' } } },
      { title: 'Not yet', slug: 'not-yet', status: 'DRAFT', publishedOn: null, author: { name: 'Ben Inkwell', avatar: null } },
    ] } },
    reads: ['1 query posts'],
    naive: 5,
  },
  'a field that is not copied: authors and reviewers are looked up in one round trip': {
    query: '{ posts(first: 2) { nodes { author { name lastName } reviewers { lastName } } } }',
    answer: { posts: { nodes: [
      { author: { name: 'Ada Quill', lastName: 'Quill' }, reviewers: [{ lastName: 'Inkwell' }, { lastName: 'Nib' }] },
      { author: { name: 'Ben Inkwell', lastName: 'Inkwell' }, reviewers: [{ lastName: 'Quill' }] },
    ] } },
    reads: ['1 query posts', '2 read authors 3'],
    naive: 6,
  },
  'contained objects of every shape are read with their post, and may hold references': {
    query: `{ post(id: "p1") {
      cover { url alt }
      blocks { __typename ... on Paragraph { text } ... on Quote { quote by { name } } ... on Picture { url alt } }
    } }`,
    answer: { post: {
      cover: { url: 'cover.png', alt: null },
      blocks: [
        { __typename: 'Paragraph', text: 'Hi.' },
        { __typename: 'Quote', quote: 'To be.', by: { name: 'Ben Inkwell' } },
        { __typename: 'Picture', url: 'pic.png', alt: 'A picture' },
        { __typename: 'Quote', quote: 'Not to be.', by: null },
      ],
    } },
    reads: ['1 read posts 1', '2 read authors 1'],
    naive: 2,
  },
  'a missing value is null, and a missing list is empty': {
    query: '{ post(id: "p4") { cover { url } blocks { __typename } reviewers { name } category { name } publishedOn attachments { nodes { id } } } }',
    answer: { post: { cover: null, blocks: [], reviewers: [], category: null, publishedOn: null, attachments: { nodes: [] } } },
    reads: ['1 read posts 1', '2 query posts'],
    naive: 2,
  },
  'a state and a day can be filtered by, and a day and a count ordered by': {
    query: `{
      sameDay: posts(filter: { status: { in: [PUBLISHED, RETIRED] }, publishedOn: { eq: "2026-01-05" } }, orderBy: { field: PUBLISHED_ON, direction: DESC }) { totalCount nodes { id } }
      drafts: posts(filter: { status: { eq: DRAFT }, publishedOn: { isNull: true } }) { nodes { id } }
      quietest: posts(orderBy: { field: COUNT_OF_COMMENTS }) { nodes { id countOfComments } }
    }`,
    answer: {
      sameDay: { totalCount: 2, nodes: [{ id: 'p3' }, { id: 'p1' }] },
      drafts: { nodes: [{ id: 'p4' }] },
      quietest: { nodes: [{ id: 'p3', countOfComments: 0 }, { id: 'p4', countOfComments: 1 }, { id: 'p2', countOfComments: 3 }, { id: 'p1', countOfComments: 230 }] },
    },
    reads: ['1 count posts', '1 query posts', '1 query posts', '1 query posts'],
    naive: 4,
  },
  'an author has posts, newest first, a stored count of them, and favourites': {
    query: '{ authors { nodes { name countOfPosts posts(first: 1) { nodes { title } } favourites { title } } } }',
    answer: { authors: { nodes: [
      { name: 'Ada Quill', countOfPosts: 2, posts: { nodes: [{ title: 'Old news' }] }, favourites: [{ title: 'Buckets!' }, { title: 'Old news' }] },
      { name: 'Ben Inkwell', countOfPosts: 2, posts: { nodes: [{ title: 'Buckets!' }] }, favourites: [] },
      { name: 'Cy Nib', countOfPosts: 0, posts: { nodes: [] }, favourites: [] },
    ] } },
    reads: ['1 query authors', '2 read posts 2', '2 query posts 3'],
    naive: 9,
  },
  'a client can ask for lookups, for snapshots, or for snapshots of a max age': {
    query: `query @read(from: REFERENCE) { post(id: "p1") {
      author { name } reviewers @read(from: SNAPSHOT) { name } young: reviewers @read(maxStaleMs: 0) { id } countOfTags
    } }`,
    answer: { post: {
      author: { name: 'Ada Quill' }, reviewers: [{ name: 'Ben Inkwell' }, { name: 'Cy Nib' }], young: [{ id: 'ben' }, { id: 'cy' }], countOfTags: 2,
    } },
    reads: ['1 read posts 1', '2 read authors 1', '2 count taggings'],
    naive: 7,
  },
}, derive)

relationSuite('comments', sdl, documents, {
  'the newest three comments are in the post, with the ids of their authors': {
    query: '{ posts { nodes { countOfComments comments(first: 3) { totalCount nodes { text by { id } } pageInfo { hasNextPage } } } } }',
    answer: { posts: { nodes: [
      { countOfComments: 230, comments: { totalCount: 230, nodes: [commented(229), commented(228), commented(227)], pageInfo: { hasNextPage: true } } },
      { countOfComments: 3, comments: { totalCount: 3, nodes: [commented(2), commented(1), commented(0)], pageInfo: { hasNextPage: false } } },
      { countOfComments: 0, comments: { totalCount: 0, nodes: [], pageInfo: { hasNextPage: false } } },
      { countOfComments: 1, comments: { totalCount: 1, nodes: [commented(0)], pageInfo: { hasNextPage: false } } },
    ] } },
    reads: ['1 query posts'],
    naive: 5,
  },
  'older comments are read from buckets of a hundred in one round trip': {
    query: '{ post(id: "p1") { comments(first: 105) { nodes { id } } } }',
    answer: { post: { comments: { nodes: Array.from({ length: 105 }, (_, at) => ({ id: `p1-${229 - at}` })) } } },
    reads: ['1 read posts 1', '2 read posts 2'],
    naive: 3,
  },
  'a comment that is still in the post causes no read of the bucket it will move to': {
    query: '{ post(id: "p1") { comments(first: 30) { nodes { id } } } }',
    answer: { post: { comments: { nodes: Array.from({ length: 30 }, (_, at) => ({ id: `p1-${229 - at}` })) } } },
    reads: ['1 read posts 1', '2 read posts 1'],
    naive: 2,
  },
  'the author of several comments is looked up once, from the post and from buckets': {
    query: '{ posts(first: 2) { nodes { comments(last: 2) { nodes { id by { lastName } } } } } }',
    answer: { posts: { nodes: [
      { comments: { nodes: [{ id: 'p1-1', by: null }, { id: 'p1-0', by: { lastName: 'Nib' } }] } },
      { comments: { nodes: [{ id: 'p2-1', by: null }, { id: 'p2-0', by: { lastName: 'Nib' } }] } },
    ] } },
    reads: ['1 query posts', '2 read posts 1', '2 read authors 1'],
    naive: 4,
  },
}, derive)

relationSuite('labels and links', sdl, documents, {
  'tags are found through joining documents, for all posts in two waves': {
    query: '{ posts { nodes { countOfTags tags { nodes { name } } } } }',
    answer: { posts: { nodes: [
      { countOfTags: 2, tags: { nodes: [{ name: 'GraphQL' }, { name: 'Storage' }] } },
      { countOfTags: 1, tags: { nodes: [{ name: 'Storage' }] } },
      { countOfTags: 0, tags: { nodes: [] } },
      { countOfTags: 1, tags: { nodes: [{ name: 'Storage' }] } },
    ] } },
    reads: ['1 query posts', '2 query taggings 4', '3 read labels 2'],
    naive: 13,
  },
  'posts are found through the same joining documents in the other direction': {
    query: '{ tags { nodes { name posts(first: 2) { totalCount nodes { title author { name } } } } } }',
    answer: { tags: { nodes: [
      { name: 'GraphQL', posts: { totalCount: 1, nodes: [{ title: 'Hello, World', author: { name: 'Ada Quill' } }] } },
      { name: 'Storage', posts: { totalCount: 3, nodes: [{ title: 'Hello, World', author: { name: 'Ada Quill' } }, { title: 'Buckets!', author: { name: 'Ben Inkwell' } }] } },
      { name: 'Unused', posts: { totalCount: 0, nodes: [] } },
    ] } },
    reads: ['1 query labels', '2 count taggings 3', '2 query taggings 3', '3 read posts 2'],
    naive: 13,
  },
  'posts link to posts, in both directions': {
    query: '{ posts { nodes { id linksTo { nodes { id } } linkedFrom { nodes { id } } } } }',
    answer: { posts: { nodes: [
      { id: 'p1', linksTo: { nodes: [] }, linkedFrom: { nodes: [{ id: 'p2' }, { id: 'p4' }] } },
      { id: 'p2', linksTo: { nodes: [{ id: 'p1' }, { id: 'p3' }] }, linkedFrom: { nodes: [] } },
      { id: 'p3', linksTo: { nodes: [] }, linkedFrom: { nodes: [{ id: 'p2' }] } },
      { id: 'p4', linksTo: { nodes: [{ id: 'p1' }] }, linkedFrom: { nodes: [] } },
    ] } },
    reads: ['1 query posts', '2 query links 4', '2 query links 4', '3 read posts 4'],
    naive: 15,
  },
  'a tree of categories has numeric references up and a reverse relation down': {
    query: '{ category(id: "1") { name parent { name } children { nodes { name parent { id } posts { nodes { title } } } } } }',
    answer: { category: { name: 'All', parent: null, children: { nodes: [
      { name: 'News', parent: { id: '1' }, posts: { nodes: [{ title: 'Hello, World' }, { title: 'Old news' }] } },
      { name: 'How it works', parent: { id: '1' }, posts: { nodes: [{ title: 'Buckets!' }] } },
    ] } } },
    reads: ['1 read labels 1', '2 query labels', '3 query posts 2'],
    naive: 6,
  },
}, derive)

relationSuite('types that share a container', sdl, documents, {
  'lists and counts include only documents of their own type': {
    query: '{ posts { totalCount } attachments { totalCount nodes { id } } tags { nodes { id } } categories { nodes { id } } }',
    answer: {
      posts: { totalCount: 4 },
      attachments: { totalCount: 3, nodes: [{ id: 'a1' }, { id: 'a2' }, { id: 'a3' }] },
      tags: { nodes: [{ id: 'graphql' }, { id: 'storage' }, { id: 'unused' }] },
      categories: { nodes: [{ id: '1' }, { id: '2' }, { id: '3' }] },
    },
    reads: ['1 count posts', '1 count posts', '1 query posts', '1 query labels', '1 query labels'],
    naive: 5,
  },
  'documents of both types are read in one round trip': {
    query: '{ post(id: "p1") { title attachments { nodes { fileName } } } attachment(id: "a3", postId: "p2") { fileName post { title } } }',
    answer: {
      post: { title: 'Hello, World', attachments: { nodes: [{ fileName: 'data.csv' }, { fileName: 'more.csv' }] } },
      attachment: { fileName: 'bucket.svg', post: { title: 'Buckets!' } },
    },
    reads: ['1 read posts 2', '2 query posts', '2 read posts 1'],
    naive: 4,
  },
  'the id of one type does not find a document of the other': {
    query: `{
      tag(id: "1") { id } category(id: "graphql") { id }
      post: attachment(id: "p1", postId: "p1") { id } bucket: attachment(id: "p1.comments.0", postId: "p1") { id }
      byNode: node(nodeId: "${Buffer.from('["Tag","1"]').toString('base64url')}") { nodeId }
    }`,
    answer: { tag: null, category: null, post: null, bucket: null, byNode: null },
    reads: ['1 read labels 2', '1 read posts 2'],
    naive: 5,
  },
}, derive)

relationSuite('partition keys', sdl, documents, {
  'several levels: with all of them given, one read': {
    query: '{ pageView(id: "v1", siteId: 1, postId: "p1") { views post { title } } }',
    answer: { pageView: { views: 70, post: { title: 'Hello, World' } } },
    reads: ['1 read page-views 1', '2 read posts 1'],
    naive: 2,
  },
  'several levels: with one of them missing, a query': {
    query: '{ pageView(id: "v1", siteId: 1) { views } }',
    answer: { pageView: { views: 70 } },
    reads: ['1 query page-views'],
    naive: 1,
  },
  'several levels: in another partition, the document is not there': {
    query: '{ pageView(id: "v1", siteId: 2, postId: "p1") { views } }',
    answer: { pageView: null },
    reads: ['1 read page-views 1'],
    naive: 1,
  },
  'several levels: found through a reference to one of them': {
    query: '{ post(id: "p1") { views { nodes { siteId views } } } }',
    answer: { post: { views: { nodes: [{ siteId: 2, views: 90 }, { siteId: 1, views: 70 }] } } },
    reads: ['1 read posts 1', '2 query page-views'],
    naive: 2,
  },
  'a reference that is stored as a number: with its id given, one read': {
    query: '{ redirect(id: "r1", siteId: "1") { to site { host } } }',
    answer: { redirect: { to: '/new', site: { host: 'blog.example' } } },
    reads: ['1 read redirects 1', '2 read sites 1'],
    naive: 2,
  },
  'a reference that is stored as a number: filtered by its id': {
    query: '{ redirects(filter: { siteId: { eq: "1" } }) { totalCount nodes { to } } }',
    answer: { redirects: { totalCount: 2, nodes: [{ to: '/new' }, { to: '/newer' }] } },
    reads: ['1 count redirects', '1 query redirects'],
    naive: 2,
  },
  'a reference that is stored as a number: found from the other side': {
    query: '{ sites { nodes { redirects { nodes { to } } } } }',
    answer: { sites: { nodes: [{ redirects: { nodes: [{ to: '/new' }, { to: '/newer' }] } }, { redirects: { nodes: [{ to: '/' }] } }] } },
    reads: ['1 query sites', '2 query redirects 2'],
    naive: 3,
  },
  'joined properties: with all of them given, one read': {
    query: '{ dailyReading(id: "y1", deviceId: "d1", year: 2026) { mean } }',
    answer: { dailyReading: { mean: 22 } },
    reads: ['1 read daily-readings 1'],
    naive: 1,
  },
  'joined properties: without one of them, a query': {
    query: '{ dailyReading(id: "y1", deviceId: "d1") { mean } }',
    answer: { dailyReading: { mean: 22 } },
    reads: ['1 query daily-readings'],
    naive: 1,
  },
  'a hashed suffix: with the joined properties given, one read': {
    query: '{ reading(id: "m2", deviceId: "d1", date: "2026-08-09") { celsius device { place } } }',
    answer: { reading: { celsius: 25, device: { place: 'Attic' } } },
    reads: ['1 read readings 1', '2 read devices 1'],
    naive: 2,
  },
  'a hashed suffix: two readings of one device and day are one read, even in different partitions': {
    query: '{ a: reading(id: "m2", deviceId: "d1", date: "2026-08-09") { celsius } b: reading(id: "m3", deviceId: "d1", date: "2026-08-09") { celsius } }',
    answer: { a: { celsius: 25 }, b: { celsius: 23.5 } },
    reads: ['1 read readings 2'],
    naive: 2,
  },
  'a hashed suffix: without one of the joined properties, a query': {
    query: '{ reading(id: "m2", date: "2026-08-09") { celsius } }',
    answer: { reading: { celsius: 25 } },
    reads: ['1 query readings'],
    naive: 1,
  },
  'a hashed suffix: with ids only, one query for all of them': {
    query: '{ a: reading(id: "m2") { celsius } b: reading(id: "m4") { celsius } none: reading(id: "m9") { celsius } }',
    answer: { a: { celsius: 25 }, b: { celsius: 9 }, none: null },
    reads: ['1 query readings'],
    naive: 3,
  },
  'a random suffix: always a query': {
    query: '{ known: rawReading(id: "w1", date: "2026-08-09") { volts } unknown: rawReading(id: "w3") { volts } }',
    answer: { known: { volts: 11.9 }, unknown: { volts: 12 } },
    reads: ['1 query raw-readings'],
    naive: 2,
  },
  'a random suffix: lists and filters work as usual': {
    query: '{ rawReadings(filter: { date: { eq: "2026-08-09" } }) { totalCount nodes { id volts } } }',
    answer: { rawReadings: { totalCount: 2, nodes: [{ id: 'w1', volts: 11.9 }, { id: 'w2', volts: 12.1 }] } },
    reads: ['1 count raw-readings', '1 query raw-readings'],
    naive: 2,
  },
  'snapshots of documents without a point read save a query': {
    query: '{ devices { nodes { latest { id celsius } hottest { id } readings(first: 1) { totalCount nodes { id } } } } }',
    answer: { devices: { nodes: [
      { latest: { id: 'm3', celsius: 23.5 }, hottest: [{ id: 'm2' }, { id: 'm3' }], readings: { totalCount: 3, nodes: [{ id: 'm3' }] } },
      { latest: { id: 'm4', celsius: 9 }, hottest: [{ id: 'm4' }], readings: { totalCount: 1, nodes: [{ id: 'm4' }] } },
      { latest: null, hottest: [], readings: { totalCount: 0, nodes: [] } },
    ] } },
    reads: ['1 query devices', '2 count readings 3', '2 query readings 3'],
    naive: 12,
  },
  'references to documents without a point read take one query for all of them': {
    query: '{ devices { nodes { latest { date } hottest { celsius } } } }',
    answer: { devices: { nodes: [
      { latest: { date: '2026-08-09' }, hottest: [{ celsius: 25 }, { celsius: 23.5 }] },
      { latest: { date: '2026-08-09' }, hottest: [{ celsius: 9 }] },
      { latest: null, hottest: [] },
    ] } },
    reads: ['1 query devices', '2 query readings'],
    naive: 6,
  },
  'a snapshot of such a document does not have its global id': {
    query: '{ device(id: "d2") { latest { nodeId celsius } } }',
    answer: { device: { latest: { nodeId: Buffer.from('["Reading","m4",["d2-2026-08-09.14"]]').toString('base64url'), celsius: 9 } } },
    reads: ['1 read devices 1', '2 query readings'],
    naive: 2,
  },
}, derive)

describe.each(stores)('on $name', ({ store }) => {
  // These tests only read, so all of them share what the first one opens.
  let opened: ReturnType<typeof openBoth> | undefined
  const both = () => (opened ??= openBoth(store))
  const types = [...readDeclaration(schema, derive).model.documents.values()]

  test.each(types.map((type) => [type.name, type] as const))('the global id of a %s is always one read of one document', async (name, { plural, container }) => {
    const { chosen, naive } = await both()
    const { data } = await chosen(`{ ${plural} { nodes { nodeId id etag } } }`)
    const { nodes } = (data as Record<string, { nodes: { nodeId: string; id: string; etag: string }[] }>)[plural]!
    expect(nodes).toHaveLength(documents[name]!.filter(({ type }) => type !== 'comments').length)
    for (const node of nodes) {
      const query = `query ($nodeId: ID!) { node(nodeId: $nodeId) { __typename nodeId ... on ${name} { id etag } } }`
      const answer = await chosen(query, { variables: node })
      expect(answer.data).toEqual({ node: { __typename: name, ...node } })
      expectReads(answer.report, [`1 read ${container} 1`])
      await expectAllWaysAgree({ chosen, naive }, query, node)
    }
  })

  const asked: { readonly [query: string]: { readonly partition: RecordedCall['partition']; readonly ids: readonly string[] } } = {
    'posts(filter: { id: { eq: "p1" } })': { partition: ['p1'], ids: ['p1'] },
    'posts(filter: { id: { in: ["p1"] } })': { partition: undefined, ids: ['p1'] },
    'attachments(filter: { postId: { eq: "p1" } })': { partition: ['p1'], ids: ['a1', 'a2'] },
    'pageViews(filter: { siteId: { eq: 1 }, postId: { eq: "p1" } })': { partition: [1, 'p1'], ids: ['v1'] },
    'pageViews(filter: { siteId: { eq: 1 } })': { partition: undefined, ids: ['v1', 'v2'] },
    'redirects(filter: { siteId: { eq: "1" } })': { partition: [1], ids: ['r1', 'r2'] },
    'dailyReadings(filter: { deviceId: { eq: "d1" }, year: { eq: 2026 } })': { partition: ['d1-2026'], ids: ['y1', 'y2'] },
    'dailyReadings(filter: { deviceId: { eq: "d1" }, year: { eq: 2026 }, not: { id: { eq: "y1" } } })': { partition: ['d1-2026'], ids: ['y2'] },
    'dailyReadings(filter: { deviceId: { eq: "d1" }, year: { gte: 2026 } })': { partition: undefined, ids: ['y1', 'y2'] },
    'dailyReadings(filter: { deviceId: { eq: "d1" } })': { partition: undefined, ids: ['y1', 'y2', 'y3'] },
    'dailyReadings(filter: { or: [{ deviceId: { eq: "d1" }, year: { eq: 2025 } }, { deviceId: { eq: "d2" } }] })': { partition: undefined, ids: ['y3', 'y4'] },
    'dailyReadings(filter: { not: { deviceId: { eq: "d1" }, year: { eq: 2026 } } })': { partition: undefined, ids: ['y3', 'y4'] },
    'readings(filter: { deviceId: { eq: "d1" }, date: { eq: "2026-08-09" } })': { partition: undefined, ids: ['m2', 'm3'] },
    'readings(filter: { deviceId: { eq: "d2" }, date: { eq: "2026-08-09" }, id: { eq: "m4" } })': { partition: ['d2-2026-08-09.14'], ids: ['m4'] },
    'rawReadings(filter: { date: { eq: "2026-08-10" }, id: { eq: "w3" } })': { partition: undefined, ids: ['w3'] },
  }

  test.each(Object.entries(asked))('a filter that determines the partition queries only that one: %s', async (list, { partition, ids }) => {
    const { chosen, calls } = await both()
    calls.length = 0
    const { data } = await chosen(`{ list: ${list} { totalCount nodes { id } } }`)
    expect(data).toEqual({ list: { totalCount: ids.length, nodes: ids.map((id) => ({ id })) } })
    expect(calls.map((call) => [call.method, call.partition])).toEqual([['count', partition], ['query', partition]])
  })

  test('a joining document whose other end was deleted is left out', async () => {
    const dangling = { ...documents, Tagging: [...documents['Tagging']!, { id: 't0', postId: 'p1', tagId: 'gone' }] }
    const ask = await openGateway({ typeDefs: schema, store, derive, documents: dangling })
    const { data, errors } = await ask('{ post(id: "p1") { tags { nodes { id name } edges { node { id } } } } }')
    expect(errors).toBeUndefined()
    const nodes = [{ id: 'graphql', name: 'GraphQL' }, { id: 'storage', name: 'Storage' }]
    expect(data).toEqual({ post: { tags: { nodes, edges: nodes.map(({ id }) => ({ node: { id } })) } } })
  })

  test('a partition key may be a property of a contained object', async () => {
    const ask = await openGateway({
      typeDefs: `
        type Office @document(container: "offices", partitionKey: "/address/country") { id: ID! address: Address! @contained }
        type Address { country: String! }`,
      store,
      documents: { Office: [{ id: 'o1', address: { country: 'NO' } }] },
    })
    const { data, errors } = await ask('{ office(id: "o1") { address { country } } offices { nodes { nodeId } } }')
    expect(errors).toBeUndefined()
    const nodeId = Buffer.from('["Office","o1",["NO"]]').toString('base64url')
    expect(data).toEqual({ office: { address: { country: 'NO' } }, offices: { nodes: [{ nodeId }] } })
    expect((await ask('query ($nodeId: ID!) { node(nodeId: $nodeId) { ... on Office { id } } }', { variables: { nodeId } })).data).toEqual({ node: { id: 'o1' } })
  })
})

/** Both ways of reading over one recorded store, so that random suffixes are the same for both. */
async function openBoth(store: GatewayOptions['store']) {
  const calls: RecordedCall[] = []
  let opened: Promise<Store> | undefined
  const once: GatewayOptions['store'] = (layout) => (opened ??= store(layout))
  const recorded: GatewayOptions['store'] = async (layout) => recordingStore(await once(layout), { before: (call) => void calls.push(call) }).store
  const chosen = await openGateway({ typeDefs: schema, store: recorded, derive, documents })
  const naive = await openGateway({ typeDefs: schema, store: once, derive, documents, strategy: 'naive' })
  return { chosen, naive, calls }
}

/** A comment as `post` in blog.ts writes it: every other one has an author. */
function commented(number: number) {
  return { text: `Comment ${number}`, by: number % 2 === 0 ? { id: 'cy' } : null }
}

/** Rules do not declare storage: test/auth tests them. */
const rules = new Set(['readable', 'writable'])

function storageDirectives(): string[] {
  const vocabulary = parse(readFileSync(join(import.meta.dirname, '../../schema/vocabulary.graphql'), 'utf8'))
  return vocabulary.definitions.flatMap((node) =>
    node.kind === Kind.DIRECTIVE_DEFINITION && !rules.has(node.name.value) && !node.locations.some(({ value }) => value === 'QUERY' || value === 'MUTATION') ? [node.name.value] : [])
}

function usedDirectives(): Set<string> {
  const names = new Set<string>()
  visit(schema, { Directive: ({ name }) => void names.add(name.value) })
  return names
}
