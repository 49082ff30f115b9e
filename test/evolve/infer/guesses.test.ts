// What is guessed from which documents: one case for each rule, and its counterpart where the rule must not apply.

import { describe, expect, test } from 'vitest'
import { inferSchema } from '../../../src/evolve/infer/infer-schema.ts'
import { openExistingFolder } from '../../../src/evolve/profile/folder/existing-folder.ts'
import { profileDatabase } from '../../../src/evolve/profile/profile-database.ts'
import { folderOf, jsonLines } from './folders.ts'

/** The SDL without comments. */
async function sdlOf(containers: Readonly<Record<string, readonly object[]>>, sample?: number): Promise<string> {
  return (await guessed(containers, sample)).split('\n').filter((line) => !line.trimStart().startsWith('#')).join('\n')
}

async function guessed(containers: Readonly<Record<string, readonly object[]>>, sample = Infinity): Promise<string> {
  const found = await openExistingFolder(folderOf(Object.fromEntries(Object.entries(containers).map(([name, documents]) => [`${name}.jsonl`, jsonLines(documents)]))))
  return inferSchema(await profileDatabase(found, { sample }), []).sdl
}

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const guests = times(10, (at) => ({ id: `g${at}`, name: `Guest ${at}`, mail: `${at}@example.com` }))

describe('names', () => {
  test('of types are singular, and of fields what GraphQL can have', async () => {
    const sdl = await sdlOf({ 'order-lines': [{ 'id': 'a', 'unit price': 1.5, 'ISBN': 'x', '2nd': true, 'Größe': 1 }] })
    expect(sdl).toContain('type OrderLine @document(container: "order-lines") {')
    for (const field of ['unitPrice: Float! @stored(at: "unit price")', 'isbn: String! @stored(at: "ISBN")', '_2Nd: Boolean! @stored(at: "2nd")', 'grosse: Int! @stored(at: "Größe")']) expect(sdl).toContain(field)
  })

  test('that two properties want go to the one that is called so', async () => {
    const sdl = await sdlOf({ rooms: [{ id: 'r', Name: 'a', name: 'b', etag: 'c' }] })
    expect(sdl).toContain('  name2: String! @stored(at: "Name")')
    expect(sdl).toMatch(/ {2}name: String!( @indexed)?\n/)
    expect(sdl).toContain('  etag2: String! @stored(at: "etag")')
  })
})

describe('scalars', () => {
  test('few constants are an enum; names of people are not', async () => {
    const sdl = await sdlOf({ rooms: times(60, (at) => ({ id: `r${at}`, status: ['free', 'taken'][at % 2], size: ['SMALL', 'LARGE'][at % 2], guest: ['Ann', 'Bob'][at % 2] })) })
    expect(sdl).toContain('status: RoomStatus!')
    expect(sdl).toContain('size: RoomSize!')
    expect(sdl).toContain('guest: String!')
    expect(sdl).toContain('enum RoomSize {\n  LARGE\n  SMALL\n}')
    // A sample that small may lack others.
    expect(await sdlOf({ rooms: times(90, (at) => ({ id: `r${at}`, status: ['free', 'taken'][at % 2] })) }, 80)).toContain('status: String')
  })

  test('numbers that no Int can hold are Float, and mixed values are JSON', async () => {
    const sdl = await sdlOf({ rooms: [{ id: 'r1', big: 3_000_000_000, mixed: 1, grid: [[1]], byDay: { '2026-01-01': 1, '2026-01-02': 2, '2026-01-03': 3 } }, { id: 'r2', big: 1, mixed: 'x', grid: [], byDay: {} }] })
    for (const field of ['big: Float!', 'mixed: JSON!', 'grid: JSON!', 'byDay: JSON!']) expect(sdl).toContain(field)
  })

  test('a field is required only if all documents have it, and a sample is large enough to say so', async () => {
    const rooms = times(1200, (at) => ({ id: `r${at}`, beds: 2, ...(at > 0 ? { view: 'sea' } : {}) }))
    expect(await sdlOf({ rooms })).toMatch(/beds: Int!\n[^]*view: String\n/)
    expect(await sdlOf({ rooms }, 1100)).toContain('beds: Int!')
    expect(await sdlOf({ rooms }, 100)).toContain('beds: Int\n')
  })

  test('what is stored and cannot be a field is listed', async () => {
    const sdl = await guessed({ rooms: [{ id: 'r1', ttl: 60, constructor: 'x', _ts: 1 }] })
    expect(sdl).toContain('# Left out: ttl, in the only document')
    expect(sdl).toContain('# Left out: "constructor"')
    expect(sdl).not.toContain('_ts')
  })
})

describe('relations', () => {
  test('an object that is all copies is a snapshot; one with a value of its own holds a reference', async () => {
    const rooms = times(20, (at) => ({ id: `r${at}`, guest: { id: `g${at % 10}`, name: `Guest ${at % 10}` }, stays: [{ id: `g${at % 10}`, name: `Guest ${at % 10}`, nights: at }] }))
    const sdl = await sdlOf({ rooms, guests })
    expect(sdl).toContain('guest: Guest! @snapshot(at: "guest", fields: ["name"])')
    expect(sdl).toContain('stays: [Stay!]! @contained(max: 10)')
    expect(sdl).toContain('type Stay {\n  guest: Guest! @reference(at: "id")\n  name: String!\n  nights: Int!\n}')
  })

  test('copies that have drifted are told; values that mostly differ are no copies', async () => {
    const rooms = times(10, (at) => ({ id: `r${at}`, guest: { id: `g${at}`, name: at === 0 ? 'Old' : `Guest ${at}` }, agent: { id: `g${at}`, name: `Then called ${at}` } }))
    const sdl = await guessed({ rooms, guests })
    expect(sdl).toMatch(/name differs from the source in 10 % of 10 compared\n {2}guest: Guest! @snapshot/)
    expect(sdl).toContain('agent: Agent!')
  })

  test('a reference with missing targets can be null, and says how many are found', async () => {
    const sdl = await guessed({ rooms: times(10, (at) => ({ id: `r${at}`, guestId: at === 3 ? 'gone9' : `g${at}`, agentId: `nobody${at}` })), guests })
    expect(sdl).toMatch(/# 90 % of 10 values that were looked up are ids in guests\n {2}guest: Guest @reference\(at: "guestId"\)/)
    expect(sdl).toContain('agentId: String!')
  })

  test('numbers are references if their name says so', async () => {
    const rooms = times(9, (at) => ({ id: String(at + 1), beds: at + 1 }))
    const sdl = await sdlOf({ rooms, stays: times(9, (at) => ({ id: `s${at}`, roomId: at + 1, nights: at + 1 })) })
    expect(sdl).toContain('room: Room! @reference(at: "roomId", numeric: true)')
    expect(sdl).toContain('nights: Int!')
  })

  test('lists on both sides: one mirrors the other, and one that does not is a list of its own', async () => {
    const rooms = times(10, (at) => ({ id: `r${at}`, guestIds: [`g${at}`, `g${(at + 1) % 10}`], friendIds: [`g${(at + 5) % 10}`] }))
    const mirrored = guests.map((guest, at) => ({ ...guest, rooms: [`r${(at + 9) % 10}`, `r${at}`].toSorted(), countOfRooms: 2 }))
    const sdl = await sdlOf({ rooms, guests: mirrored })
    expect(sdl).toContain('rooms: [Room!]! @reference(at: "rooms", inverseOf: "Room.guests")')
    expect(sdl).toContain('countOfRooms: Int! @counted(relation: "rooms")')
    expect(sdl).toContain('guests: [Guest!]! @reference(at: "guestIds")')
    expect(sdl).toContain('friends: [Guest!]! @reference(at: "friendIds")')
    expect(sdl).toContain('@reverse(of: "Room.friends")')
  })

  test('a number is a count if it is always right', async () => {
    const rooms = times(12, (at) => ({ id: `r${at}`, guestId: `g${at % 4}`, tags: at % 2 ? ['a'] : [], numberOfTags: at % 2, tagCount: 1 }))
    const sdl = await sdlOf({ rooms, guests: guests.map((guest, at) => ({ ...guest, roomCount: at < 4 ? 3 : 0 })) })
    expect(sdl).toContain('numberOfTags: Int! @counted(relation: "tags")')
    expect(sdl).toContain('tagCount: Int!\n')
    expect(sdl).toContain('roomCount: Int! @counted(relation: "rooms")')
  })

  test('a type in a container with others, in the partition of the one it belongs to', async () => {
    const sdl = await sdlOf({ guests: [...guests.map((guest, at) => ({ ...guest, guestId: guest.id, type: 'guest', stayCount: at < 5 ? 2 : 0 })), ...times(10, (at) => ({ id: `s${at}`, type: 'stay', guestId: `g${at % 5}`, from: '2026-01-01T00:00:00Z' }))] })
    expect(sdl).toContain('type Guest @document(container: "guests", partitionKey: "/guestId", type: "guest")')
    expect(sdl).toContain('type Stay @document(container: "guests", partitionKey: "/guestId", type: "stay")')
    expect(sdl).toContain('guest: Guest! @reference(at: "guestId")')
    expect(sdl).toContain('stayCount: Int! @counted(relation: "stays")')
    expect(sdl).toContain('stays: StayConnection! @reverse(of: "Stay.guest", orderBy: "from", descending: true)')
  })
})

describe('objects', () => {
  test('without a property in common are a union; with one they are one type', async () => {
    const sdl = await sdlOf({ guests: times(4, (at) => ({ id: `g${at}`, contacts: [{ mail: 'a' }, { phone: '1', extension: at }], pictures: [{ small: 'a' }, { large: 'b' }], homes: [{ city: 'a', zip: 1 }, { city: 'b', state: 'c' }] })) })
    expect(sdl).toContain('union Contact = MailContact | PhoneContact')
    expect(sdl).toContain('type Picture {\n  small: String\n  large: String\n}')
    expect(sdl).toContain('type Home {\n  city: String!\n  zip: Int\n  state: String\n}')
  })

  test('of the same name and different properties are different types', async () => {
    const sdl = await sdlOf({ guests: [{ id: 'g1', address: { city: 'a' } }], rooms: [{ id: 'r1', address: { floor: 1 } }], hotels: [{ id: 'h1', address: { city: 'b' } }] })
    expect(sdl).toContain('type Address {\n  city: String!\n}')
    expect(sdl).toContain('type RoomAddress {\n  floor: Int!\n}')
    expect(sdl.match(/address: Address!/g)).toHaveLength(2)
  })
})
