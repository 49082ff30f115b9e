// A schema with every kind of relation to a document that not every viewer may read, and documents of two people who must
// not learn of each other.

import type { IResolvers } from '@graphql-tools/utils'
import type { Viewer } from '../../src/auth/viewer.ts'
import { refusingResolvers } from '../../src/execute/check-resolvers.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import type { Documents } from '../harness.ts'

export const typeDefs = `
  type Person @document(container: "people") @readable(owner: "id", roles: ["support"]) @writable(owner: "id", roles: ["support"]) {
    id: ID!
    name: String! @indexed
    address: Address
    badge: Badge
    diaries: DiaryConnection! @reverse(of: "Diary.writer")
    countOfDiaries: Int! @counted(relation: "diaries") @indexed
    marked: DiaryConnection! @joined(through: "Mark")
    countOfMarked: Int! @counted(relation: "marked")
  }
  type Address { city: String!  neighbour: Person @reference(at: "neighbourId") }
  type Badge @readable(roles: ["support"]) { number: String! }
  type Diary @document(container: "diaries", partitionKey: "/diaryId", type: "diary", plural: "diaries") @readable(owner: "writer", roles: ["support"]) @writable(owner: "writer", roles: ["support"]) {
    id: ID!
    title: String! @indexed
    mood: String @indexed @readable(roles: ["support"])
    writer: Person! @reference(at: "writerId")
    topic: Topic @reference(at: "topicId")
    pages: PageConnection! @bucketed(at: "newest", recent: 1, size: 2, key: "diaryId", type: "pages")
  }
  type Page { id: ID!  text: String! }
  type Mark @document(container: "marks") @readable(owner: "reader") @writable(owner: "reader") { id: ID!  reader: Person! @reference(at: "readerId")  diary: Diary! @reference(at: "diaryId") }
  type Topic @document(container: "topics") @writable(roles: ["editor"]) {
    id: ID!
    name: String! @indexed
    clicks: Int @indexed @readable(roles: ["editor"])
    diaries: DiaryConnection! @reverse(of: "Diary.topic")
    countOfDiaries: Int! @counted(relation: "diaries") @indexed
    listed: [Diary!]! @reference(at: "listed", inverseOf: "Diary.topic")
    countOfListed: Int! @counted(relation: "listed")
    latest: Diary @snapshot(at: "latest", fields: ["title"])
    pinned: [Diary]! @snapshot(at: "pinned", fields: ["title"])
    featured: [Diary!]! @reference(at: "featured")
    countOfFeatured: Int! @counted(relation: "featured")
    patron: Person @snapshot(at: "patron", fields: ["name"])
    keeper: Person! @reference(at: "keeperId")
    report: Report @snapshot(at: "report", fields: ["verdict"])
  }
  type Report @document(container: "reports") @readable(roles: ["auditor"]) @writable(roles: ["auditor"]) { id: ID!  verdict: String!  topic: Topic @reference(at: "topicId") }
  extend type Query { secretOfTheDay: String! @readable(by: SIGNED_IN)  anyDiary: Diary }
  extend type Mutation { lend(input: LendInput!): LendPayload! @writable(owner: "Diary.writer")  touch(input: LendInput!): LendPayload!  praise(input: PraiseInput!): PraisePayload! @writable(by: SIGNED_IN) }
  input LendInput { clientMutationId: String  id: ID! }
  type LendPayload { clientMutationId: String  diary: Diary! }
  input PraiseInput { clientMutationId: String  topicId: ID! }
  type PraisePayload { clientMutationId: String  topic: Topic! }
  type Subscription { diaryChanged: Diary!  topicChanged: Topic! }
`

/** The given resolvers; other root fields fail. */
export function resolversWith(given: Record<string, Record<string, unknown>>): IResolvers {
  const refusing = refusingResolvers(readDeclaration(typeDefs)) as Record<string, object>
  return Object.fromEntries(Object.keys(refusing).map((type) => [type, { ...refusing[type], ...given[type] }]))
}

/** The same for everyone. */
export const openTypeDefs = typeDefs.replaceAll(/ @(readable|writable)\([^)]*\)/g, '')

function viewer(id: string, ...roles: string[]): Viewer {
  return { id, roles: new Set(roles), tenant: undefined }
}

export const viewers: Readonly<Record<string, Viewer | undefined>> = {
  nobody: undefined, stranger: viewer('eve'), ada: viewer('ada'), bob: viewer('bob'), support: viewer('sue', 'support'), auditor: viewer('max', 'auditor'), editor: viewer('kim', 'editor'),
}

function diary(id: string, writerId: string, topicId: string) {
  const newest = { id: `${id}-page-2`, text: `Page 2 of ${id}`, number: 2 }
  return { id, type: 'diary', diaryId: id, title: `Title of ${id}`, mood: `Mood of ${id}`, writerId, topicId, newest: [newest], countOfPages: 3 }
}

function pages(id: string) {
  return { id: `${id}.pages.0`, type: 'pages', diaryId: id, entries: [0, 1].map((number) => ({ id: `${id}-page-${number}`, text: `Page ${number} of ${id}`, number })) }
}

const written = [diary('diary-ada-1', 'ada', 'love'), diary('diary-ada-2', 'ada', 'war'), diary('diary-bob-1', 'bob', 'love')]

export const documents: Documents = {
  Person: ['ada', 'bob'].map((id) => ({ id, name: `Name of ${id}`, badge: { number: `Badge of ${id}` }, address: { city: `City of ${id}`, neighbourId: id === 'ada' ? 'bob' : 'ada' }, countOfDiaries: id === 'ada' ? 2 : 1, countOfMarked: 1 })),
  Diary: [...written, ...written.map(({ id }) => pages(id))],
  Mark: [{ id: 'mark-ada', readerId: 'ada', diaryId: 'diary-ada-1' }, { id: 'mark-bob', readerId: 'bob', diaryId: 'diary-ada-2' }],
  Topic: [
    { id: 'love', name: 'Love', clicks: 41, countOfDiaries: 2, listed: ['diary-ada-1', 'diary-bob-1'], countOfListed: 2, latest: { id: 'diary-ada-1', title: 'Title of diary-ada-1' }, pinned: [{ id: 'diary-bob-1', title: 'Title of diary-bob-1' }, { id: 'diary-ada-1', title: 'Title of diary-ada-1' }], featured: ['diary-ada-1', 'diary-bob-1'], countOfFeatured: 2, patron: { id: 'ada', name: 'Name of ada' }, keeperId: 'bob', report: { id: 'report-1', verdict: 'Verdict of max' } },
    { id: 'war', name: 'War', clicks: 42, countOfDiaries: 1, listed: ['diary-ada-2'], countOfListed: 1, latest: null, pinned: [], featured: [], countOfFeatured: 0, patron: null, keeperId: 'ada', report: null },
  ],
  Report: [{ id: 'report-1', verdict: 'Verdict of max', topicId: 'love' }],
}
