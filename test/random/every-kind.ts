// A domain with every way of storing, and with what the shipped library has no use for: documents that
// an id alone does not find, relations inside copies, in unions and in buckets, lists with gaps.

import type { GatewayOptions } from '../../src/gateway.ts'
import { partitionsFrom, placed } from '../../src/model/keys/partition.ts'
import type { Model } from '../../src/model/model.ts'
import type { Body } from '../../src/model/json/json.ts'
import type { Write } from '../../src/store/store.ts'

const sdl = /* GraphQL */ `
  interface Named { name: String! }

  type Gallery implements Named @document(container: "galleries", partitionKey: ["/country", "/id"], plural: "galleries") {
    id: ID!
    country: String! @indexed
    name: String! @indexed
    label: String! @derived
    rooms: [Room!]! @contained(max: 9)
    works: WorkConnection! @reverse(of: "Work.gallery", orderBy: "year", descending: true)
    countOfWorks: Int! @counted(relation: "works") @indexed
  }
  type Room {
    number: Int! @stored(at: "no") @indexed
    guards: [Visitor]! @reference(at: "guardIds", numeric: true)
    exhibits: [Exhibit!]! @contained(max: 9)
  }
  union Exhibit = Hanging | Sign
  type Hanging @shape(has: "workId") { work: Work! @reference(at: "workId") since: Int }
  type Sign @shape(has: "says") { says: String! near: Work @reference(at: "nearId") since: Int! }

  type Work @document(container: "works", partitionKey: "/workId", type: "work") @index(fields: ["style", "year DESC", "title"]) @index(fields: ["year", "title DESC"])
    @index(fields: ["gallery", "title"]) @index(fields: ["gallery", "style DESC", "title"]) @index(fields: ["artists", "year"]) {
    id: ID!
    title: String! @indexed
    year: Int @indexed
    style: Style @indexed
    words: [String!]! @contained(max: 4) @indexed
    gallery: Gallery @snapshot(at: "gallery", fields: ["name", "label", "rooms"])
    artists: [Artist!]! @snapshot(at: "artists", fields: ["name", "studio"])
    countOfArtists: Int! @counted(relation: "artists")
    firstSale: Sale @reference(at: "saleId")
    notes: NoteConnection! @bucketed(at: "recentNotes", recent: 2, size: 3, key: "workId", type: "notes")
    countOfNotes: Int! @counted(relation: "notes")
    buyers: VisitorConnection! @joined(through: "Sale", filterUpTo: 50)
    countOfBuyers: Int! @counted(relation: "buyers")
  }
  enum Style { OIL INK }
  type Note { id: ID! text: String! by: Visitor @reference(at: "visitorId", numeric: true) about: Artist @reference(at: "artistId") }

  type Artist implements Named @document(container: "people", type: "artist") {
    id: ID!
    name: String! @stored(at: "full-name") @indexed
    born: Int
    works: WorkConnection! @reverse(of: "Work.artists")
    countOfWorks: Int! @counted(relation: "works", at: "works")
    studio: Studio @contained
    teacher: Artist @snapshot(at: "teacher", fields: ["name", "born", "studio"])
    best: [Work!]! @reference(at: "best", max: 5)
    all: [Work!]! @reference(at: "all", inverseOf: "Work.artists")
    countOfAll: Int! @counted(relation: "all")
  }
  type Studio { street: String! @indexed owner: Visitor @reference(at: "ownerId", numeric: true) neighbour: Artist @reference(at: "neighbourId") }
  type Visitor implements Named @document(container: "people", type: "visitor") {
    id: ID!
    name: String! @indexed
    bought: WorkConnection! @joined(through: "Sale")
    sales: SaleConnection! @reverse(of: "Sale.buyer")
    follows: VisitorConnection! @joined(through: "Follow", from: "follower", to: "followed", filterUpTo: 9)
    followers: VisitorConnection! @joined(through: "Follow", from: "followed", to: "follower")
  }
  type Sale @document(container: "sales", partitionKey: { concat: ["price"], suffix: { random: 3 } }) {
    id: ID!
    price: Int! @indexed
    work: Work! @reference(at: "workId")
    buyer: Visitor! @reference(at: "visitorId", numeric: true)
  }
  type Follow @document(container: "follows", partitionKey: "/a") {
    id: ID!
    follower: Visitor! @reference(at: "a", numeric: true) @indexed
    followed: Visitor! @reference(at: "b", numeric: true)
  }
`

export const everyKind: Omit<GatewayOptions, 'store'> = {
  typeDefs: sdl,
  derive: { Gallery: { label: labelOf } },
  seed: ({ model }) => documents(model),
}

/** Their copies and counts are true. */
function documents(model: Model): Write[] {
  const put = (name: string) => (body: Body, index: number): Write => {
    const type = model.documents.get(name)!
    const { body: filled } = placed(type, type.discriminator === undefined ? body : { ...body, type: type.discriminator })
    // Where chance would choose between partitions they take turns, so that every run is over the same documents.
    const partitions = partitionsFrom(type, body)!
    const partition = partitions[index % partitions.length]!
    const at = type.partitionKey.form === 'synthetic' ? { [type.partitionKey.at]: partition[0]! } : {}
    return { kind: 'put', container: type.container, key: { partition, id: String(body['id']) }, body: { ...filled, ...at } }
  }
  return [
    ...galleries.map(put('Gallery')), ...works.map(put('Work')), ...artists.map(put('Artist')), ...visitors.map(put('Visitor')),
    ...sales.map(put('Sale')), ...follows.map(put('Follow')), ...buckets,
  ]
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const workId = (number: number): string => `w${1 + (number % 18)}`
const title = (number: number): string => `${['Moon', 'Apple', 'Still Sea'][number % 3]} ${number}`
const artistName = (number: number): string => `${['Ada', 'Mio', 'Sol', 'Ann'][number % 4]} ${number}`
const born = (number: number): number => 1800 + 7 * number
const studio = (number: number) => ({ street: `${number} High Street`, ownerId: number, neighbourId: `a${1 + (number % 7)}` })
const artistOf = (number: number) => ({ id: `a${number}`, name: artistName(number), studio: studio(number) })

const galleryBodies = numbers(5).map((number) => ({
  id: `g${number}`, country: number % 2 ? 'France' : 'Mali', name: `Gallery ${number}`,
  rooms: numbers(number % 3).map((room) => ({
    no: room,
    // The first one stands there twice.
    guardIds: [1, ...numbers(room)].map((guard) => guard + number),
    exhibits: [{ workId: workId(number + room) }, { says: 'Quiet', since: 1900 + room, ...(room === 1 ? { nearId: workId(room) } : {}) }],
  })),
}))

/** Every fifth work is nowhere; some have no artist, and some have two. */
const galleryOf = (number: number) => (number % 5 ? galleryBodies[number % 5] : undefined)
const artistsOf = (number: number) => numbers(number % 3).map((nth) => 1 + ((number + nth) % 7))

const notesOf = (number: number) => numbers((number * 3) % 10).map((_, index) => ({
  id: `n${number}-${index}`, number: index, text: `Note ${index}`,
  ...(index % 2 ? { visitorId: 1 + ((number + index) % 8) } : { artistId: `a${1 + (index % 7)}` }),
}))

const sales = numbers(24).map((number) => ({ id: `s${number}`, price: 10 * (number % 4), workId: workId(number * 5), visitorId: 1 + (number % 8) }))
const follows = numbers(14).map((number) => ({ id: `f${number}`, a: 1 + (number % 8), b: 1 + ((number * 3) % 8) }))
const visitors = numbers(8).map((number) => ({ id: `${number}`, name: `Visitor ${number}` }))

const works = numbers(18).map((number) => {
  const gallery = galleryOf(number)
  const notes = notesOf(number)
  return {
    id: `w${number}`, title: title(number),
    words: title(number).split(' '),
    ...(number % 4 ? { year: 1900 + (number % 6), style: number % 2 ? 'OIL' : 'INK' } : {}),
    ...(gallery ? { gallery: { id: gallery.id, name: gallery.name, label: labelOf(gallery), rooms: gallery.rooms } } : {}),
    artists: artistsOf(number).map(artistOf),
    countOfArtists: artistsOf(number).length,
    ...(number % 3 ? { saleId: `s${number}` } : {}),
    recentNotes: notes.toReversed().slice(0, 2),
    countOfNotes: notes.length,
    countOfBuyers: sales.filter((sale) => sale.workId === `w${number}`).length,
  }
})

const galleries = galleryBodies.map((gallery) => ({ ...gallery, countOfWorks: works.filter((work) => work.gallery?.id === gallery.id).length }))

const artists = numbers(7).map((number) => {
  const all = works.filter((work) => work.artists.some(({ id }) => id === `a${number}`)).map(({ id }) => id).toSorted()
  return {
    id: `a${number}`, 'full-name': artistName(number), born: born(number), studio: studio(number),
    ...(number > 2 ? { teacher: { ...artistOf(number - 2), born: born(number - 2) } } : {}),
    best: numbers(number % 3).map((nth) => workId(number * nth)),
    works: all.length, all, countOfAll: all.length,
  }
})

/** The notes that are not in their work, oldest first, three to a bucket. */
const buckets = numbers(18).flatMap((number) => {
  const older = notesOf(number).slice(0, -2)
  return [...Map.groupBy(older, (note) => Math.floor(note.number / 3))].map(([bucket, entries]): Write => {
    const id = `w${number}.notes.${bucket}`
    return { kind: 'put', container: 'works', key: { partition: [`w${number}`], id }, body: { id, workId: `w${number}`, type: 'notes', entries } }
  })
})

function labelOf({ name, country }: Body): string {
  return `${String(name)}, ${String(country)}`
}
