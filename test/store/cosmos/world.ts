// A small world for workloads on a Cosmos DB account: songs with copies, lists, counts and
// numbers that grow, clients that read and write them at random, and a model that knows every answer.

import type { GraphQLResolveInfo } from 'graphql'
import { expect, onTestFinished } from 'vitest'
import { checkStore } from '../../../src/evolve/check/check-store.ts'
import { readDeclaration } from '../../../src/relations/declaration.ts'
import { readSdl } from '../../../src/model/sdl/read-sdl.ts'
import type { MutationContext, MutationInput } from '../../../src/write/mutations.ts'
import { Propagator } from '../../../src/feed/propagator.ts'
import { openCosmosStore } from '../../../src/store/cosmos/cosmos-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { openGateway, type Ask, type Documents } from '../../harness.ts'
import { startCosmosEmulator, type CosmosEmulator } from '../../../src/emulator/cosmos-emulator.ts'

/** The minimum of document requests of a workload; REQUESTS makes it larger. */
export const requests = Number(process.env['REQUESTS'] ?? 4000)
/** When a workload is given up. */
export const timeoutMs = 60_000 + 20 * requests

export const sdl = readSdl(/* GraphQL */ `
  type Artist @document(container: "artists") {
    id: ID!
    name: String!
    countOfSongs: Int! @counted(relation: "songs")
    songs: [Song!]! @reference(at: "songs", inverseOf: "Song.artists")
  }
  type Label @document(container: "labels") {
    id: ID!
    name: String!
    countOfSongs: Int! @counted(relation: "songs")
    songs: SongConnection! @reverse(of: "Song.label")
  }
  type Song @document(container: "songs", partitionKey: "/songId", type: "song") {
    id: ID!
    title: String! @indexed
    plays: Int!
    label: Label! @reference(at: "labelId")
    artists: [Artist!]! @snapshot(at: "artists", fields: ["name"])
    countOfComments: Int! @counted(relation: "comments")
    comments: CommentConnection! @bucketed(at: "recentComments", recent: 2, size: 3, key: "songId", type: "comments")
  }
  type Comment { id: ID! text: String! }

  extend type Mutation {
    playSong(input: PlaySongInput!): PlaySongPayload!
    addComment(input: AddCommentInput!): AddCommentPayload!
  }
  input PlaySongInput { clientMutationId: String songId: ID! }
  type PlaySongPayload { clientMutationId: String song: Song! }
  input AddCommentInput { clientMutationId: String songId: ID! text: String! }
  type AddCommentPayload { clientMutationId: String song: Song! }
`)

export const declaration = readDeclaration(sdl)

type Mutation<I> = (source: unknown, args: { input: I & MutationInput }, context: MutationContext, info: GraphQLResolveInfo) => unknown

const playSong: Mutation<{ songId: string }> = (_, { input }, { quire }, info) =>
  quire.mutate(input, info, async (change) => {
    const song = await change.get('Song', input.songId)
    return { song: change.change('Song', song, { plays: (song.after['plays'] as number) + 1 }) }
  })

const addComment: Mutation<{ songId: string; text: string }> = (_, { input }, { quire }, info) =>
  quire.mutate(input, info, async (change) => ({ song: await change.append('Song.comments', input.songId, input) }))

export interface World {
  readonly server: CosmosEmulator
  readonly database: string
  readonly store: Store
  readonly ask: Ask
  /** Propagates all changes. */
  drain(): Promise<void>
  /** Where the stored documents do not match the declaration. */
  findings(): Promise<string[]>
}

/** A server with a gateway on it, both closed at the end of the test. Snapshots are not updated until the feed is drained. */
export async function openWorld({ partitions = 4, documents = {} }: { partitions?: number; documents?: Documents } = {}): Promise<World> {
  const server = await startCosmosEmulator({ partitions })
  const database = 'music'
  const store = await openCosmosStore({ endpoint: server.endpoint, key: server.key, database, create: true }, declaration.layout)
  const ask = await openGateway({
    typeDefs: sdl, resolvers: { Mutation: { playSong, addComment } }, documents, settles: false,
    freshness: () => ({ boundMs: 1_000_000, watermark: 0 }), store: async () => store,
  })
  onTestFinished(async () => {
    await ask.close()
    await server.close()
  })
  return {
    server, database, store, ask,
    async drain() {
      const propagator = new Propagator(declaration, store, { owner: 'tests' })
      while ((await propagator.round()) > 0);
    },
    findings: () => Array.fromAsync(checkStore(declaration, store), ({ sentence }) => sentence),
  }
}

/** Songs that all clients play: how often they tried to, and how often that was acknowledged. */
export class Hit {
  readonly id: string
  begun = 0
  done = 0

  constructor(id: string) {
    this.id = id
  }
}

interface Song {
  title: string
  plays: number
  readonly artistIds: readonly string[]
  /** Newest first. */
  readonly comments: string[]
}

/** The work so far, by the cost reports of the answers. */
export interface Cost {
  operations: number
  mutations: number
  roundTrips: number
  requestCharge: number
}

/** The documents that so many clients start with. */
export function firstDocuments(clients: number, hits: readonly Hit[]): Documents {
  const names = Array.from({ length: clients }, (_, client) => `c${client}`)
  return {
    Label: names.map((name) => ({ id: `${name}-label`, name: `Label of ${name}`, countOfSongs: name === 'c0' ? hits.length : 0 })),
    Artist: names.flatMap((name) => artistsOf(name).map((id) => ({ id, name: `Artist ${id}`, songs: [], countOfSongs: 0 }))),
    Song: hits.map(({ id }) => ({ id, title: id, plays: 0, labelId: 'c0-label', artists: [], recentComments: [], countOfComments: 0, type: 'song' })),
  }
}

function artistsOf(client: string): string[] {
  return ['x', 'y', 'z'].map((artist) => `${client}-${artist}`)
}

/** A client that does one operation after the other and knows each result, because its documents are its own. */
export class Client {
  /** The ids of all songs that were ever created. */
  readonly created: string[] = []
  readonly cost: Cost = { operations: 0, mutations: 0, roundTrips: 0, requestCharge: 0 }
  readonly #ask: Ask
  readonly #name: string
  readonly #hits: readonly Hit[]
  readonly #random: () => number
  readonly #songs = new Map<string, Song>()
  readonly #names: Map<string, string>
  #made = 0

  constructor(ask: Ask, number: number, hits: readonly Hit[]) {
    this.#ask = ask
    this.#name = `c${number}`
    this.#hits = hits
    this.#random = randomFrom(number + 1)
    this.#names = new Map(artistsOf(this.#name).map((id) => [id, `Artist ${id}`]))
  }

  /** One random operation: about half of them are mutations. */
  async step(): Promise<void> {
    const [id, song] = this.#pick([...this.#songs]) ?? []
    if (id === undefined || song === undefined) return this.#create()
    await this.#pick([
      () => this.#create(), () => this.#create(), () => this.#remove(id), () => this.#play(id, song), () => this.#play(id, song), () => this.#comment(id, song),
      () => this.#comment(id, song), () => this.#retitle(id, song), () => this.#rename(), () => this.#playHit(), () => this.#playHit(),
      () => this.#readSong(id, song), () => this.#readSong(id, song), () => this.#readSong(id, song), () => this.#readPages(), () => this.#readPages(), () => this.#readArtist(),
      () => this.#readLabel(), () => this.#readLabel(), () => this.#readHit(),
    ])!()
  }

  /** All documents of this client as snapshots show them, once the feed is drained. */
  async expectCopies(): Promise<void> {
    const label = `${this.#name}-label`
    const fields = `id title plays countOfComments comments(first: 1000) { nodes { text } } artists { name }`
    const { songs } = await this.#query(`query($label: ID!) { songs(filter: { labelId: { eq: $label } }, first: 1000) { nodes { ${fields} } } }`, { label })
    const nodes = (songs as { nodes: { id: string }[] }).nodes.filter(({ id }) => !this.#hits.some((hit) => hit.id === id))
    expect(nodes).toEqual(this.#sorted(([id]) => id).map(([id, { title, plays, comments, artistIds }]) => ({
      id, title, plays, countOfComments: comments.length, comments: { nodes: comments.map((text) => ({ text })) }, artists: this.#namesOf(artistIds),
    })))
    for (const [id, name] of this.#names) {
      const mine = this.#songsOf(id)
      const { artist } = await this.#query('query($id: ID!) { artist(id: $id) { name countOfSongs songs { id } } }', { id })
      expect(artist).toEqual({ name, countOfSongs: mine.length, songs: mine.map((song) => ({ id: song })) })
    }
    const kept = await this.#query('query($label: ID!) { label(id: $label) { countOfSongs } }', { label })
    expect(kept).toEqual({ label: { countOfSongs: this.#songs.size + this.#hitsHere().length } })
  }

  async #create(): Promise<void> {
    const id = `${this.#name}-${this.#made++}`
    // Deletions keep the number of documents bounded in a long run.
    if (this.#songs.size >= 10) return this.#remove(this.#pick([...this.#songs.keys()])!)
    const song: Song = { title: this.#word(), plays: 0, artistIds: artistsOf(this.#name).slice(0, 1 + Math.floor(this.#random() * 3)), comments: [] }
    const input = { id, title: song.title, plays: 0, labelId: `${this.#name}-label`, artistIds: song.artistIds }
    const data = await this.#mutate('mutation($input: CreateSongInput!) { createSong(input: $input) { song { id title label { name } artists { name } } } }', { input })
    this.#songs.set(id, song)
    this.created.push(id)
    expect(data).toEqual({ createSong: { song: { id, title: song.title, label: { name: `Label of ${this.#name}` }, artists: this.#namesOf(song.artistIds) } } })
  }

  async #remove(id: string): Promise<void> {
    await this.#mutate('mutation($input: DeleteSongInput!) { deleteSong(input: $input) { song { id } } }', { input: { id } })
    this.#songs.delete(id)
    expect(await this.#query('query($id: ID!) { song(id: $id) { id } }', { id })).toEqual({ song: null })
  }

  async #play(songId: string, song: Song): Promise<void> {
    const data = await this.#mutate('mutation($input: PlaySongInput!) { playSong(input: $input) { song { plays } } }', { input: { songId } })
    expect(data).toEqual({ playSong: { song: { plays: ++song.plays } } })
  }

  async #comment(songId: string, song: Song): Promise<void> {
    const text = `${songId} ${song.comments.length + 1}`
    const data = await this.#mutate('mutation($input: AddCommentInput!) { addComment(input: $input) { song { countOfComments } } }', { input: { songId, text } })
    expect(data).toEqual({ addComment: { song: { countOfComments: song.comments.unshift(text) } } })
  }

  async #retitle(id: string, song: Song): Promise<void> {
    song.title = this.#word()
    const data = await this.#mutate('mutation($input: UpdateSongInput!) { updateSong(input: $input) { song { title } } }', { input: { id, title: song.title } })
    expect(data).toEqual({ updateSong: { song: { title: song.title } } })
  }

  async #rename(): Promise<void> {
    const id = this.#pick([...this.#names.keys()])!
    this.#names.set(id, this.#word())
    const data = await this.#mutate('mutation($input: UpdateArtistInput!) { updateArtist(input: $input) { artist { name } } }', { input: { id, name: this.#names.get(id) } })
    expect(data).toEqual({ updateArtist: { artist: { name: this.#names.get(id) } } })
  }

  async #playHit(): Promise<void> {
    const hit = this.#pick(this.#hits)
    if (!hit) return
    hit.begun++
    await this.#mutate('mutation($input: PlaySongInput!) { playSong(input: $input) { song { plays } } }', { input: { songId: hit.id } })
    hit.done++
  }

  async #readHit(): Promise<void> {
    const hit = this.#pick(this.#hits)
    if (!hit) return
    const least = hit.done
    const { song } = await this.#query('query($id: ID!) { song(id: $id) { plays } }', { id: hit.id })
    const { plays } = song as { plays: number }
    expect(plays).toBeGreaterThanOrEqual(least)
    expect(plays).toBeLessThanOrEqual(hit.begun)
  }

  async #readSong(id: string, { title, plays, comments, artistIds }: Song): Promise<void> {
    const fields = 'title plays comments(first: 4) { totalCount nodes { text } } label { name } artists { name }'
    const { song } = await this.#query(`query($id: ID!) @read(maxStaleMs: 0) { song(id: $id) { ${fields} } }`, { id })
    expect(song).toEqual({
      title, plays, comments: { totalCount: comments.length, nodes: comments.slice(0, 4).map((text) => ({ text })) },
      label: { name: `Label of ${this.#name}` }, artists: this.#namesOf(artistIds),
    })
  }

  /** Two pages of this client's songs in the order of their titles. */
  async #readPages(): Promise<void> {
    const asked = `query($label: ID!, $after: String) {
      songs(filter: { labelId: { eq: $label } }, orderBy: { field: TITLE, direction: DESC }, first: 3, after: $after) { totalCount nodes { title } pageInfo { hasNextPage endCursor } }
    }`
    const titles = this.#sorted(([, { title }]) => title).map(([, { title }]) => title)
    const all = [...titles, ...this.#hitsHere().map((hit) => hit.id)].toSorted().toReversed()
    let after: string | null = null
    for (let start = 0; start === 0 || (start === 3 && after !== null); start += 3) {
      const { songs } = await this.#query(asked, { label: `${this.#name}-label`, after })
      const endCursor = (songs as { pageInfo: { endCursor: string | null } }).pageInfo.endCursor
      expect(songs).toEqual({ totalCount: all.length, nodes: all.slice(start, start + 3).map((title) => ({ title })), pageInfo: { hasNextPage: all.length > start + 3, endCursor } })
      after = endCursor
    }
  }

  async #readArtist(): Promise<void> {
    const [id, name] = this.#pick([...this.#names])!
    const mine = this.#songsOf(id)
    const { artist } = await this.#query('query($id: ID!) @read(maxStaleMs: 0) { artist(id: $id) { name countOfSongs songs { title label { id } } } }', { id })
    expect(artist).toEqual({ name, countOfSongs: mine.length, songs: mine.map((song) => ({ title: this.#songs.get(song)!.title, label: { id: `${this.#name}-label` } })) })
  }

  async #readLabel(): Promise<void> {
    const { label } = await this.#query('query($id: ID!) @read(maxStaleMs: 0) { label(id: $id) { countOfSongs songs(first: 100) { nodes { id artists { name } } } } }', { id: `${this.#name}-label` })
    const songs = [...this.#sorted(([id]) => id).map(([id, { artistIds }]) => ({ id, artists: this.#namesOf(artistIds) })), ...this.#hitsHere().map(({ id }) => ({ id, artists: [] }))]
    expect(label).toEqual({ countOfSongs: songs.length, songs: { nodes: songs } })
  }

  /** Hits belong to the first client's label. */
  #hitsHere(): readonly Hit[] {
    return this.#name === 'c0' ? this.#hits : []
  }

  #sorted(by: (entry: [string, Song]) => string): [string, Song][] {
    return [...this.#songs].toSorted((one, other) => (by(one) < by(other) ? -1 : 1))
  }

  #songsOf(artist: string): string[] {
    return this.#sorted(([id]) => id).flatMap(([id, { artistIds }]) => (artistIds.includes(artist) ? [id] : []))
  }

  #namesOf(artistIds: readonly string[]): { name: string }[] {
    return artistIds.map((id) => ({ name: this.#names.get(id)! }))
  }

  async #mutate(query: string, variables: object): Promise<unknown> {
    this.cost.mutations++
    return this.#query(query, variables)
  }

  async #query(query: string, variables: object): Promise<Record<string, unknown>> {
    const { data, errors, report } = await this.#ask(query, { variables })
    expect(errors).toBeUndefined()
    this.cost.operations++
    this.cost.roundTrips += report.made.roundTrips
    this.cost.requestCharge += report.made.requestCharge
    return data!
  }

  #pick<T>(some: readonly T[]): T | undefined {
    return some[Math.floor(this.#random() * some.length)]
  }

  /** Never the same twice. */
  #word(): string {
    return `${this.#random().toString(36).slice(2, 8)} ${this.#name} ${this.#made++}`
  }
}

/** Each was played as often as was acknowledged. */
export async function expectHits(ask: Ask, hits: readonly Hit[]): Promise<void> {
  for (const { id, begun, done } of hits) {
    expect(done).toBe(begun)
    expect((await ask('query($id: ID!) { song(id: $id) { plays } }', { variables: { id } })).data).toEqual({ song: { plays: done } })
  }
}

/** Runs clients concurrently while `going` is true. If one fails, the others finish their current operation. */
export async function runAll(clients: readonly Client[], going: (client: Client) => boolean): Promise<void> {
  const failures: unknown[] = []
  await Promise.all(clients.map(async (client) => {
    try {
      while (failures.length === 0 && going(client)) await client.step()
    } catch (error) {
      failures.push(error)
    }
  }))
  if (failures.length > 0) throw failures[0]
}

/** The work of all of them. */
export function costOf(clients: readonly Client[]): Cost {
  const sum = (of: (cost: Cost) => number): number => clients.reduce((total, { cost }) => total + of(cost), 0)
  return { operations: sum((one) => one.operations), mutations: sum((one) => one.mutations), roundTrips: sum((one) => one.roundTrips), requestCharge: sum((one) => one.requestCharge) }
}

/** Numbers from 0 to 1 that look random and are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}
