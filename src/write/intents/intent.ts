// The intent of a mutation that writes several partitions of a store that is atomic per partition. The first batch changes or creates
// documents of one partition; one of them, the lead, carries in `_intent` the documents that are still to be created in others, and what undoes the
// batch. So from the first batch on the mutation can be completed or undone by any process that reads the lead, also after its own process has died.
//
// A document that belongs to an intent without being its lead names the lead in `_saga`. A writer of the lead or of such a document
// settles the intent first (settle-intents.ts), so nothing builds on half a mutation. An intent that is done is not removed:
// that would be one more write for each mutation. The next write of the lead leaves it out.

import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { clientError } from '../../graphql-errors.ts'
import { keyText, type Key } from '../../model/keys/key.ts'
import type { Body } from '../../model/json/json.ts'
import { sameJson } from '../../model/json/same-json.ts'
import type { Entry } from '../../relations/maintenance.ts'
import { ownContainer } from '../../store/own-container.ts'
import type { Store, Write } from '../../store/store.ts'

export const intentProperty = '_intent'
export const memberProperty = '_saga'

/** How long after its first batch the writer may go on. Later, others complete what it began. */
export const writerLivesMs = 30_000

/** A document where it is stored. */
export interface Address {
  readonly container: string
  readonly key: Key
}

export interface Intent {
  readonly id: string
  /** From this time of the store on, the life of its writer counts; a later one if another process has taken it over. */
  readonly at: number
  /** The documents that follow the first batch, each to be created. */
  readonly creates: readonly (Address & { readonly body: Body })[]
  /** What undoes the first batch. */
  readonly undoes: readonly Undo[]
  /** It was decided that nothing of it is to stay. */
  readonly undone?: boolean
}

/** The properties that one document of the first batch had, and those that it was given; undefined where it was created. */
export interface Undo extends Address {
  readonly had?: Body
  readonly got?: Body
}

/** The part of a document in an intent of which another document is the lead. */
export interface Membership {
  readonly id: string
  readonly lead: Address
}

export interface Begun {
  readonly intent: Intent
  readonly lead: Address
  /** The steps, with the intent in the lead and its name in the other documents. */
  readonly waves: readonly (readonly (readonly Write[])[])[]
}

/** Intents that this process knows to be done. */
const done = new LRUCache<string, true>({ max: 20_000 })

export function noteDone({ id }: Pick<Intent, 'id'>): void {
  done.set(id, true)
}

export function isKnownDone({ id }: Pick<Intent, 'id'>): boolean {
  return done.has(id)
}

export function intentIn(body: Body | undefined): Intent | undefined {
  return body?.[intentProperty] as unknown as Intent | undefined
}

export function membershipIn(body: Body | undefined): Membership | undefined {
  return body?.[memberProperty] as unknown as Membership | undefined
}

/** The document without what it says of intents. */
export function withoutIntents({ [intentProperty]: _, [memberProperty]: __, ...body }: Body): Body {
  return body
}

/**
 * Puts an intent into steps that write documents of several partitions. Undefined where one batch writes all of them, or where documents are
 * deleted: a deletion that ends half-way is completed by deleting again.
 */
export function beginIntent(waves: readonly (readonly (readonly Write[])[])[], entries: readonly Entry[], at: number, { supports }: Store): Begun | undefined {
  const steps = waves.flat().filter(([write]) => write!.container !== ownContainer)
  if (steps.length < 2 || steps.some((step) => step.some(({ kind }) => kind === 'delete'))) return undefined
  const [first, ...others] = steps as readonly (readonly Put[])[]
  const found = new Map(entries.map((entry) => [addressText(entry), entry]))
  // The propagator looks at documents of the schema's types, which a bucket is not.
  const leading = first!.find((write) => found.get(addressText(write))?.type) ?? first![0]!
  const lead = addressOf(leading)
  const intent: Intent = {
    id: randomUUID(),
    at,
    creates: others.flat().map(({ container, key, body }) => ({ ...addressOf({ container, key }), body })),
    undoes: first!.map((write) => ({ ...addressOf(write), ...(write.only === 'if-absent' ? {} : difference(found.get(addressText(write))?.before ?? {}, write.body)) })),
  }
  const carried = { ...leading.body, [intentProperty]: intent as unknown as Body }
  if (Buffer.byteLength(JSON.stringify(carried)) > supports.documentBytes) {
    throw clientError('ATOMIC_UNSUPPORTED', `Nothing was written: the mutation creates ${intent.creates.length} documents in several partitions, which are together too large to be completed if the gateway ends half-way. Use several mutations.`)
  }
  const member = { [memberProperty]: { id: intent.id, lead } as unknown as Body }
  const marked = (write: Write): Write => {
    if (write.kind === 'delete' || write.container === ownContainer) return write
    return { ...write, body: write === leading ? carried : { ...write.body, ...member } }
  }
  return { intent, lead, waves: waves.map((wave) => wave.map((step) => step.map(marked))) }
}

type Put = Extract<Write, { kind: 'put' }>

export function memberOf({ id }: Intent, lead: Address, body: Body): Body {
  return { ...body, [memberProperty]: { id, lead: addressOf(lead) } as unknown as Body }
}

/** The body with the properties that an intent gave it as they were before. What others have changed since stays. */
export function undo({ had = {}, got = {} }: Undo, body: Body): Body {
  const restored: Record<string, Body[string]> = { ...withoutIntents(body) }
  for (const [name, value] of Object.entries(got)) {
    if (!sameJson(restored[name], value === null ? undefined : value) && !sameJson(restored[name], value)) continue
    if (had[name] === undefined) delete restored[name]
    else restored[name] = had[name]
  }
  return restored
}

export function addressText({ container, key }: Address): string {
  return `${container} ${keyText(key)}`
}

function addressOf({ container, key: { partition, id } }: Address): Address {
  return { container, key: { partition: [...partition], id } }
}

/** The properties that differ, as they were and as they are. Versions go on counting. */
function difference(before: Body, after: Body): { had: Body; got: Body } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !versions.has(name) && !sameJson(before[name], after[name]))
  return {
    had: Object.fromEntries(names.flatMap((name) => (before[name] === undefined ? [] : [[name, before[name]]]))),
    // What was removed is null here.
    got: Object.fromEntries(names.map((name) => [name, after[name] ?? null])),
  }
}

const versions: ReadonlySet<string> = new Set(['_v', '_c', '_left', intentProperty, memberProperty])
