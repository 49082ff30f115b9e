// Random schemas with documents: interfaces, unions, lists of lists, enums with internal values, scalars of their own, every leaf
// type with and without null, references, snapshots and lists of them in all directions. Their documents come twice: as the schema
// wants them, and with values that it does not expect. The same seed gives the same domain.

import { GraphQLError, GraphQLScalarType } from 'graphql'
import type { GatewayOptions } from '../../src/gateway.ts'
import type { Body, Json } from '../../src/model/json/json.ts'
import { Random } from '../../reliability/hostile/random.ts'
import { documentWrites, type Documents } from '../harness.ts'
import type { Domain } from './gateways.ts'

export interface RandomDomain {
  readonly domain: Domain & { readonly typeDefs: string }
  /** The same documents, many of which violate the schema. */
  readonly broken: Documents
}

const documentNames = ['Ant', 'Bee', 'Cat', 'Dog']
const leafTypes = ['Int', 'Float', 'String', 'Boolean', 'ID', 'Code', 'Mood'] as const
type Leaf = (typeof leafTypes)[number]

/** A field of a type, and what a document has at its place. */
interface RandomField {
  readonly sdl: string
  readonly at: string
  readonly name: string
  readonly value: (random: Random) => Json
  readonly isCopied: boolean
}

interface RandomType {
  readonly name: string
  readonly fields: RandomField[]
}

export function randomDomain(seed: number): RandomDomain {
  const random = new Random('domain', seed)
  const count = random.between(2, 4)
  const parts: RandomType[] = ['Leg', 'Wing'].map((name) => ({ name, fields: [shapeField(name), ...leaves(random, 2, false), labelField()] }))
  const documents: RandomType[] = documentNames.slice(0, count).map((name) => ({ name, fields: [labelField(), ...leaves(random, random.between(2, 5), true)] }))
  // Relations come last: snapshots copy leaves of any type.
  const copied = new Map(documents.map(({ name, fields }) => [name, fields.filter(({ isCopied }) => isCopied)]))
  for (const type of [...parts, ...documents]) relations(type, documents, copied, random)
  const reverse = (name: string): string => documents.flatMap((type) => type.fields.filter(({ sdl, name: field }) => field.startsWith('ref') && sdl.includes(`: ${name} `)).map((field) => `${type.name.toLowerCase()}By${field.name}: ${type.name}Connection! @reverse(of: "${type.name}.${field.name}")`)).join('\n')
  const typeDefs = `
    scalar Code
    enum Mood { GLAD SAD ODD }
    interface Labelled { label: String }
    union Part = Leg | Wing
    ${parts.map(({ name, fields }) => `type ${name} implements Labelled @shape(has: "${name.toLowerCase()}") {\n${fields.map(({ sdl }) => sdl).join('\n')}\n}`).join('\n')}
    ${documents.map(({ name, fields }) => `type ${name} implements Labelled @document(container: "${name.toLowerCase()}s") {\nid: ID!\n${fields.map(({ sdl }) => sdl).join('\n')}\npart: Part @contained\nparts: [Part!] @contained(max: 5)\nleg: Leg @contained\n${reverse(name)}\n}`).join('\n')}
    extend type Query { grid: [[Int]] moods: [[Mood!]]! labelled: [Labelled] codes(of: [[Code]]): [Code] }`
  const bodies = (broken: boolean): Documents => {
    const own = new Random('documents', seed, String(broken))
    const partOf = (): Body => {
      const { name, fields } = own.pick(parts)
      return { ...bodyOf(fields, own, broken), [name.toLowerCase()]: name }
    }
    return Object.fromEntries(documents.map(({ name, fields }) => [name, ids.map((id) => ({
      ...bodyOf(fields, own, broken), part: own.chance(0.3) ? null : partOf(), parts: own.chance(0.2) ? null : Array.from({ length: own.below(4) }, partOf),
      leg: own.chance(0.3) ? null : { ...bodyOf(parts[0]!.fields, own, broken), leg: 'Leg' }, id,
    }))]))
  }
  const clean = bodies(false)
  return { domain: { typeDefs, resolvers: resolvers(seed), seed: ({ model }) => documentWrites(model, clean) }, broken: bodies(true) }
}

const ids = ['0', '1', '2', '3', '4']

function leaves(random: Random, count: number, isDocument: boolean): RandomField[] {
  return Array.from({ length: count }, (_, number) => {
    const [type, isList, required, inner] = [random.pick(leafTypes), random.chance(0.3), random.chance(0.4), random.chance(0.5)]
    const name = `f${number}`
    const at = random.chance(0.3) ? `at-${number}` : name
    const written = isList ? `[${type}${inner ? '!' : ''}]` : type
    const indexed = isDocument && !isList && (type === 'Int' || type === 'String') && random.chance(0.5) ? ' @indexed' : ''
    const value = (own: Random): Json => (isList ? Array.from({ length: own.below(4) }, () => (!inner && own.chance(0.2) ? null : leaf(type, own))) : !required && own.chance(0.2) ? null : leaf(type, own))
    return { sdl: `${name}: ${written}${required ? '!' : ''}${isList ? ` @contained(at: "${at}", max: 9)` : at === name ? '' : ` @stored(at: "${at}")`}${indexed}`, at, name, value, isCopied: true }
  })
}

function labelField(): RandomField {
  return { sdl: 'label: String', at: 'label', name: 'label', value: (own) => (own.chance(0.2) ? null : own.pick(oddTexts)), isCopied: true }
}

function shapeField(name: string): RandomField {
  return { sdl: `${name.toLowerCase()}: String`, at: name.toLowerCase(), name: name.toLowerCase(), value: () => name, isCopied: false }
}

function relations(type: RandomType, documents: readonly RandomType[], copied: ReadonlyMap<string, readonly RandomField[]>, random: Random): void {
  for (let number = 0; number < 2; number++) {
    const target = random.pick(documents).name
    const [isList, required] = [random.chance(0.5), random.chance(0.3)]
    const [name, at] = [`ref${number}`, `to${number}`]
    const id = (own: Random): Json => own.pick(own.chance(0.1) ? [...ids, 'missing'] : ids)
    type.fields.push({ sdl: `${name}: ${isList ? `[${target}${required ? '!' : ''}]!` : `${target} `} @reference(at: "${at}"${isList ? ', max: 9' : ''})`, at, name, value: (own) => (isList ? Array.from({ length: own.below(4) }, () => id(own)) : own.chance(0.3) ? null : id(own)), isCopied: false })
  }
  if (!documents.includes(type)) return
  const target = random.pick(documents).name
  const fields = copied.get(target)!
  const isList = random.chance(0.5)
  const copy = (own: Random): Json => ({ id: own.pick(ids), ...Object.fromEntries(fields.map((field) => [field.name, field.value(own)])) })
  type.fields.push({ sdl: `snap: ${isList ? `[${target}!]!` : target} @snapshot(at: "snap", fields: ${JSON.stringify(fields.map(({ name }) => name))})`, at: 'snap', name: 'snap', value: (own) => (isList ? Array.from({ length: own.below(3) }, () => copy(own)) : own.chance(0.3) ? null : copy(own)), isCopied: false })
}

function bodyOf(fields: readonly RandomField[], own: Random, broken: boolean): Body {
  return Object.fromEntries(fields.flatMap(({ at, value }): [string, Json][] => {
    const fitting = value(own)
    if (!broken || own.chance(0.85)) return [[at, fitting]]
    return own.chance(0.2) ? [] : [[at, own.pick<Json>([null, 1.5, -1e21, '', 'no', true, [], [null, fitting], { no: 1 }, [[fitting]], fitting])]]
  }))
}

const oddTexts = ['', 'plain', '"\\\u2028', '\u0000', '\ud800', '🐜', '__proto__', 'x'.repeat(300), ' <b>', 'é\r\n']
const oddNumbers = [0, -0, 1, -1, 2 ** 31 - 1, -(2 ** 31)]
const oddFloats = [...oddNumbers, 1.5, 5e-324, 1e21, -1e-7, Number.MAX_SAFE_INTEGER + 2, 2 ** 31]

function leaf(type: Leaf, own: Random): Json {
  switch (type) {
    case 'Int': return own.pick(oddNumbers)
    case 'Float': return own.pick(oddFloats)
    case 'Boolean': return own.chance(0.5)
    case 'Mood': return own.pick<Json>([1, 'sad', 'ODD'])
    case 'Code': return own.pick<Json>(['a1', 'b2', 7])
    default: return own.pick(oddTexts)
  }
}

/** Upper case, and a number for a number. It refuses what is neither. */
const Code = new GraphQLScalarType({
  name: 'Code',
  serialize: (value) => {
    if (typeof value === 'number') return value
    if (typeof value === 'string' && /^\w*$/.test(value)) return value.toUpperCase()
    throw new GraphQLError('Not a code.')
  },
  parseValue: (value) => String(value).toLowerCase(),
})

function resolvers(seed: number): NonNullable<GatewayOptions['resolvers']> {
  const random = new Random('roots', seed)
  const grid = Array.from({ length: 3 }, () => (random.chance(0.2) ? null : Array.from({ length: 3 }, () => (random.chance(0.2) ? null : random.pick(oddNumbers)))))
  return {
    Code,
    Mood: { GLAD: 1, SAD: 'sad', ODD: 'ODD' },
    Labelled: { __resolveType: ({ kind }: { kind: string }) => kind },
    Query: {
      grid: () => grid,
      moods: () => [[1, 'sad'], null, ['ODD'], []],
      labelled: () => [{ kind: 'Leg', label: 'leg' }, null, { kind: 'Wing', label: null }],
      codes: (_: unknown, { of }: { of?: unknown[][] | null }) => (of ?? []).flat(),
    },
  }
}
