// A blog, and the machines it runs on: a schema that has nothing to do with the shipped one, a few
// documents as they are stored, and the functions behind its derived fields. The operations are in
// blog.test.ts.

import { join } from 'node:path'
import { print } from 'graphql'
import { bucketKey } from '../../src/model/keys/bucket.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import type { Derive } from '../../src/relations/kind.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { Documents } from '../harness.ts'

export const schema = readSdlFolder(join(import.meta.dirname, 'schema'))

export const sdl = print(schema)

export const derive: Derive = {
  Post: { slug: ({ title }) => String(title).toLowerCase().replaceAll(/\W+/g, '-') },
  Author: { name: ({ firstName, lastName }) => `${String(firstName)} ${String(lastName)}` },
}

const authors = [
  { id: 'ada', firstName: 'Ada', lastName: 'Quill', avatar: { url: 'ada.png', alt: 'Ada' }, countOfPosts: 2, favourites: ['p2', 'p3'] },
  { id: 'ben', firstName: 'Ben', lastName: 'Inkwell', countOfPosts: 2, favourites: [] },
  { id: 'cy', firstName: 'Cy', lastName: 'Nib', countOfPosts: 0 },
]

/** The snapshot of an author in a post. */
function snapshot(id: string, ...fields: ('name' | 'avatar')[]): Body {
  const author = authors.find((each) => each.id === id)!
  const copied = { name: `${author.firstName} ${author.lastName}`, avatar: author.avatar ?? null }
  return { id, ...Object.fromEntries(fields.map((field) => [field, copied[field]])) }
}

/** A post with that many comments: the newest three in it, the others in buckets of a hundred. */
function post(id: string, comments: number, properties: Body): Body[] {
  const all = Array.from({ length: comments }, (_, number) => ({
    id: `${id}-${number}`, number, text: `Comment ${number}`, ...(number % 2 === 0 ? { authorId: 'cy' } : {}),
  }))
  const older = all.slice(0, -3)
  const buckets = Array.from({ length: Math.ceil(older.length / 100) }, (_, bucket) => ({
    id: bucketKey(id, 'comments', bucket).id, postId: id, type: 'comments', entries: older.slice(bucket * 100, bucket * 100 + 100),
  }))
  return [{ id, ...properties, countOfComments: comments, recentComments: all.slice(-3).toReversed() }, ...buckets]
}

export const documents: Documents = {
  Author: authors,
  Post: [
    ...post('p1', 230, {
      title: 'Hello, World', status: 'PUBLISHED', 'published-on': '2026-01-05', categoryId: 2, 'tag-count': 2,
      author: snapshot('ada', 'name', 'avatar'), reviewers: [snapshot('ben', 'name'), snapshot('cy', 'name')],
      cover: { url: 'cover.png' }, content: [{ text: 'Hi.' }, { quote: 'To be.', authorId: 'ben' }, { url: 'pic.png', alt: 'A picture' }, { quote: 'Not to be.' }],
    }),
    ...post('p2', 3, {
      title: 'Buckets!', status: 'PUBLISHED', 'published-on': '2026-03-09', categoryId: 3, 'tag-count': 1,
      author: snapshot('ben', 'name', 'avatar'), reviewers: [snapshot('ada', 'name')],
    }),
    ...post('p3', 0, { title: 'Old news', status: 'RETIRED', 'published-on': '2026-01-05', categoryId: 2, 'tag-count': 0, author: snapshot('ada', 'name', 'avatar') }),
    ...post('p4', 1, { title: 'Not yet', status: 'DRAFT', 'tag-count': 1, author: snapshot('ben', 'name', 'avatar') }),
  ],
  Attachment: [
    { id: 'a1', postId: 'p1', fileName: 'data.csv' },
    { id: 'a2', postId: 'p1', fileName: 'more.csv' },
    { id: 'a3', postId: 'p2', fileName: 'bucket.svg' },
  ],
  Tag: [{ id: 'graphql', name: 'GraphQL' }, { id: 'storage', name: 'Storage' }, { id: 'unused', name: 'Unused' }],
  Category: [{ id: '1', name: 'All' }, { id: '2', name: 'News', parentId: 1 }, { id: '3', name: 'How it works', parentId: 1 }],
  Tagging: [
    { id: 't1', postId: 'p1', tagId: 'graphql' },
    { id: 't2', postId: 'p1', tagId: 'storage' },
    { id: 't3', postId: 'p2', tagId: 'storage' },
    { id: 't4', postId: 'p4', tagId: 'storage' },
  ],
  Link: [{ id: 'l1', from: 'p2', to: 'p1' }, { id: 'l2', from: 'p4', to: 'p1' }, { id: 'l3', from: 'p2', to: 'p3' }],
  Site: [{ id: '1', host: 'blog.example' }, { id: '2', host: 'mirror.example' }],
  PageView: [
    { id: 'v1', siteId: 1, postId: 'p1', views: 70 },
    { id: 'v2', siteId: 1, postId: 'p2', views: 20 },
    { id: 'v3', siteId: 2, postId: 'p1', views: 90 },
  ],
  Redirect: [{ id: 'r1', siteId: 1, to: '/new' }, { id: 'r2', siteId: 1, to: '/newer' }, { id: 'r3', siteId: 2, to: '/' }],
  Device: [
    { id: 'd1', place: 'Attic', latest: { id: 'm3', celsius: 23.5 }, hottest: ['m2', 'm3'] },
    { id: 'd2', place: 'Cellar', latest: { id: 'm4', celsius: 9 }, hottest: ['m4'] },
    { id: 'd3', place: 'Shelf' },
  ],
  Reading: [
    { id: 'm1', deviceId: 'd1', date: '2026-08-08', celsius: 21 },
    { id: 'm2', deviceId: 'd1', date: '2026-08-09', celsius: 25 },
    { id: 'm3', deviceId: 'd1', date: '2026-08-09', celsius: 23.5 },
    { id: 'm4', deviceId: 'd2', date: '2026-08-09', celsius: 9 },
  ],
  RawReading: [
    { id: 'w1', date: '2026-08-09', volts: 11.9 },
    { id: 'w2', date: '2026-08-09', volts: 12.1 },
    { id: 'w3', date: '2026-08-10', volts: 12 },
  ],
  DailyReading: [
    { id: 'y1', deviceId: 'd1', year: 2026, mean: 22 },
    { id: 'y2', deviceId: 'd1', year: 2026, mean: 23 },
    { id: 'y3', deviceId: 'd1', year: 2025, mean: 20 },
    { id: 'y4', deviceId: 'd2', year: 2026, mean: 9 },
  ],
}
