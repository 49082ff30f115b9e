// A small journal with every kind of snapshot, list and count, its correct documents, and what tests of `check` do with
// them: damage them as another program would, check, repair, compare.

import { expect } from 'vitest'
import { writeAll } from '../../../src/store/write-all.ts'
import { checkStore, type CheckOptions } from '../../../src/evolve/check/check-store.ts'
import type { Finding } from '../../../src/evolve/check/finding.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import type { GatewayOptions } from '../../../src/gateway.ts'
import { allFields } from '../../../src/model/model.ts'
import { placed } from '../../../src/model/keys/partition.ts'
import { readSdl } from '../../../src/model/sdl/read-sdl.ts'
import type { Body } from '../../../src/model/json/json.ts'
import type { Store, StoredDocument, Write } from '../../../src/store/store.ts'

const sdl = /* GraphQL */ `
  type Writer @document(container: "writers") {
    id: ID!
    name: String!
    label: String! @derived
    mentor: Writer @snapshot(at: "mentor", fields: ["name"])
    home: Site @snapshot(at: "home", fields: ["label"])
    posts: [Post!]! @reference(at: "posts", inverseOf: "Post.writers")
    countOfPosts: Int! @counted(relation: "posts")
  }
  type Post @document(container: "posts", partitionKey: "/postId", type: "post") {
    id: ID!
    writers: [Writer!]! @snapshot(at: "writers", fields: ["name", "label"])
    countOfWriters: Int! @counted(relation: "writers")
    topic: Topic @reference(at: "topicId", numeric: true)
    site: Site! @reference(at: "siteId")
    blocks: [Block!]! @contained(at: "content", max: 9)
    notes: NoteConnection! @bucketed(at: "recentNotes", recent: 2, size: 3, key: "postId", type: "notes")
    countOfNotes: Int! @counted(relation: "notes")
    tags: TopicConnection! @joined(through: "Tagging")
    countOfTags: Int! @counted(relation: "tags", at: "tag-count")
  }
  union Block = Quote | Picture
  type Quote @shape(has: "quote") { quote: String! by: Writer @reference(at: "sourceId") }
  type Picture @shape(has: "url") { url: String! site: Site! @reference(at: "sourceId") }
  type Note { id: ID! by: Writer @reference(at: "writerId") }
  type Topic @document(container: "topics") {
    id: ID!
    posts: PostConnection! @reverse(of: "Post.topic")
    countOfPosts: Int! @counted(relation: "posts")
  }
  type Site @document(container: "sites") { id: ID! label: String! @derived picks: [Topic!]! @reference(at: "picks") }
  type Tagging @document(container: "taggings", partitionKey: "/postId") {
    id: ID!
    post: Post @reference(at: "postId")
    tag: Topic! @reference(at: "tagId")
  }
`

export const journal = readDeclaration(readSdl(sdl), {
  Writer: { label: ({ name }) => `by ${String(name)}` },
  Site: { label: ({ id, picks }) => `${String(id)} with ${(picks as readonly string[]).length} picks` },
})

const everyField = allFields(journal.model).map(({ coordinate }) => coordinate)

const ada = { id: 'ada', name: 'Ada', label: 'by Ada' }
const ben = { id: 'ben', name: 'Ben', label: 'by Ben' }
export const notes = (count: number) => Array.from({ length: count }, (_, number) => ({ id: `n${number}`, number, ...(number % 4 === 0 ? { writerId: 'ada' } : {}) }))
const bucket = (post: string, nth: number, entries: readonly Body[]) => ({ id: `${post}.notes.${nth}`, postId: post, type: 'notes', entries })

/** The correct documents, by container. */
export const documents: Readonly<Record<string, readonly Body[]>> = {
  writers: [
    { id: 'ada', name: 'Ada', posts: ['p1', 'p2'], countOfPosts: 2 },
    { id: 'ben', name: 'Ben', mentor: { id: 'ada', name: 'Ada' }, home: { id: 's1', label: 's1 with 2 picks' }, posts: ['p1'], countOfPosts: 1 },
    { id: 'cy', name: 'Cy', posts: [], countOfPosts: 0 },
  ],
  posts: [
    {
      id: 'p1', writers: [ada, ben], countOfWriters: 2, topicId: 7, siteId: 's1', content: [{ quote: 'So?', sourceId: 'ben' }, { url: 'a.png', sourceId: 's1' }],
      recentNotes: notes(9).toReversed().slice(0, 2), countOfNotes: 9, 'tag-count': 1, type: 'post',
    },
    bucket('p1', 0, notes(9).slice(0, 3)), bucket('p1', 1, notes(9).slice(3, 6)), bucket('p1', 2, notes(9).slice(6, 7)),
    { id: 'p2', writers: [ada], countOfWriters: 1, topicId: 7, siteId: 's1', content: [], recentNotes: notes(1), countOfNotes: 1, 'tag-count': 0, type: 'post' },
    { id: 'p3', writers: [], countOfWriters: 0, siteId: 's1', content: [], recentNotes: [], countOfNotes: 0, 'tag-count': 0, type: 'post' },
  ],
  topics: [{ id: '7', countOfPosts: 2 }, { id: '8', countOfPosts: 0 }],
  sites: [{ id: 's1', picks: ['7', '8'] }, { id: 's2', picks: ['8'] }],
  taggings: [{ id: 't1', postId: 'p1', tagId: '8' }],
}

export class Journal {
  readonly store: Store

  constructor(store: Store) {
    this.store = store
  }

  static async open(open: GatewayOptions['store']): Promise<Journal> {
    const opened = new Journal(await open(journal.layout))
    for (const [container, bodies] of Object.entries(documents)) await writeAll(opened.store, bodies.map((body) => putOf(container, body)))
    return opened
  }

  put(container: string, body: Body): Promise<unknown> {
    return this.store.write([putOf(container, body)])
  }

  /** Sets properties of a document. */
  async damage(container: string, id: string, properties: Body): Promise<void> {
    await this.put(container, { ...(await this.find(container, id))!.body, ...properties })
  }

  async remove(container: string, id: string): Promise<void> {
    const { key } = (await this.find(container, id))!
    await this.store.write([{ kind: 'delete', container, key }])
  }

  async find(container: string, id: string): Promise<StoredDocument | undefined> {
    return (await this.all(container)).find(({ key }) => key.id === id)
  }

  async all(container: string): Promise<StoredDocument[]> {
    return this.store.query({ container, orderBy: { path: ['id'], descending: false }, limit: 1000 })
  }

  /** Every document by `container/id`. */
  async everything(): Promise<Map<string, StoredDocument>> {
    const containers = await Promise.all(Object.keys(documents).map(async (container) => (await this.all(container)).map((document) => [`${container}/${document.key.id}`, document] as const)))
    return new Map(containers.flat())
  }

  /** Unless the options say otherwise, a repair may remove everything. */
  check(options?: CheckOptions): Promise<Finding[]> {
    return Array.fromAsync(checkStore(journal, this.store, { acceptLoss: everyField, ...options }))
  }
}

/** The body without its version. */
export function plain({ body: { _v, postId: _, ...body } }: StoredDocument): Body {
  return body
}

export function putOf(container: string, body: Body): Write {
  const type = [...journal.model.documents.values()].find((each) => each.container === container)!
  const { partition, body: filled } = placed(type, body)
  return { kind: 'put', container, key: { partition, id: String(body['id']) }, body: filled }
}

/** Matches a text that starts with the first fact and has the others after it, in order: `dangling Post.topic p3 … Topic 99`. */
export function textWith(facts: string): unknown {
  return expect.stringMatching(new RegExp(`^${facts.split(' … ').map((fact) => fact.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*')}`))
}
