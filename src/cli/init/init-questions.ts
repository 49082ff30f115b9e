// The questions of `quire init`, for whatever has not been said already. Each answer is checked as it would be
// on the command line.

import type { Readable, Writable } from 'node:stream'
import { isCancel, select, text } from '@clack/prompts'
import { ConfigError, settings } from '../../config.ts'
import { storeKinds } from '../../store/open-store.ts'
import { relationChoices, type Plan } from './init-files.ts'

/** What has been said so far, as texts. */
export interface Said {
  readonly types?: string
  readonly relation?: string
  readonly store?: string
  readonly endpoint?: string
  readonly port?: string
}

/** Where people are asked; the terminal, unless it is said. */
export interface Asking {
  readonly input?: Readable
  readonly output?: Writable
}

/** What is chosen where nobody says anything. */
const usual = { types: 'Article,Writer', relation: relationChoices(['Article', 'Writer']).at(-1)!.relation, store: storeKinds.sqlite.choice.text, port: '4000' }

export function planWithoutAsking(said: Said): Plan {
  const types = readTypes(said.types ?? usual.types)
  const store = readStore(said.store ?? usual.store)
  return { types, relation: readRelation(said.relation ?? usual.relation, types), store, endpoint: readEndpoint(said.endpoint, store), port: readPort(said.port ?? usual.port) }
}

/** Undefined when whoever is asked has had enough. */
export async function planByAsking(said: Said, asking: Asking = {}): Promise<Plan | undefined> {
  const [usualFirst, usualSecond] = usual.types.split(',') as [string, string]
  try {
    const types = said.types === undefined
      ? await typesByAsking(usualFirst, usualSecond, asking)
      : readTypes(said.types)
    const [first, second] = types
    const relation = said.relation ?? await answered(select({
      ...asking, message: `How is ${first} to know its ${second}?`, initialValue: usual.relation,
      options: relationChoices(types).map(({ relation: value, explained: hint }) => ({ value, label: value, hint })),
    }))
    const store = said.store ?? await answered(select({
      ...asking, message: 'Where are the documents to be?', initialValue: usual.store,
      options: [storeKinds.sqlite, ...Object.values(storeKinds).filter((kind) => kind !== storeKinds.sqlite)].map(({ choice: { text: value, label, hint } }) => ({ value, label, hint })),
    }))
    const endpoint = said.endpoint ?? (store !== 'cosmos' ? undefined : await answered(text({
      ...asking, message: 'Which account? Its key is set in the environment, as COSMOS_KEY.', placeholder: 'https://NAME.documents.azure.com', validate: checked((given) => readEndpoint(given, store)),
    })))
    const port = said.port ?? await answered(text({ ...asking, message: 'On which port is it to listen?', initialValue: usual.port, validate: checked(readPort) }))
    return { types, relation: readRelation(relation, types), store: readStore(store), endpoint: readEndpoint(endpoint, store), port: readPort(port) }
  } catch (error) {
    if (error instanceof Cancelled) return undefined
    throw error
  }
}

async function typesByAsking(usualFirst: string, usualSecond: string, asking: Asking): Promise<Plan['types']> {
  const first = await answered(text({ ...asking, message: 'What is one of your documents called?', initialValue: usualFirst, validate: checked(readType) }))
  const second = await answered(text({ ...asking, message: `And what does each ${first} belong to?`, initialValue: usualSecond, validate: checked((given) => readTypes(`${first},${given}`)) }))
  return [first, second]
}

class Cancelled extends Error {}

async function answered(asked: Promise<string | symbol>): Promise<string> {
  const answer = await asked
  if (isCancel(answer)) throw new Cancelled()
  return String(answer)
}

/** What is wrong with an answer, in the words of the command line without its option. */
function checked(read: (given: string) => unknown): (given: string | undefined) => string | undefined {
  return (given) => {
    try {
      read(given ?? '')
      return undefined
    } catch (error) {
      if (error instanceof ConfigError) return error.message.replace(/^--\w+ is /, 'This is ')
      throw error
    }
  }
}

function readTypes(given: string): Plan['types'] {
  const [first, second, ...more] = given.split(',').map((name) => name.trim())
  if (first === undefined || second === undefined || more.length > 0 || first.toLowerCase() === second.toLowerCase()) {
    throw new ConfigError(`--types is "${given}". Give two different names, such as ${usual.types}.`)
  }
  return [readType(first), readType(second)]
}

function readType(name: string): string {
  const example = usual.types.split(',')[0]
  if (!/^[A-Z][A-Za-z0-9]{0,40}$/.test(name)) throw new ConfigError(`--types is "${name}". Give a name of letters and digits that begins with a capital, such as ${example}.`)
  if (name.endsWith('Connection')) throw new ConfigError(`--types is "${name}". Names that end so are those of pages: give another, such as ${example}.`)
  return name
}

function readRelation(given: string, types: Plan['types']): string {
  const known = relationChoices(types).map(({ relation }) => relation)
  if (!known.includes(given)) throw new ConfigError(`--relation is "${given}". Write ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`)
  return given
}

function readStore(given: string): string {
  settings['store']!.check(given, '--store')
  return given
}

function readEndpoint(given: string | undefined, store: string): string | undefined {
  if (store !== 'cosmos') return undefined
  if (given === undefined) throw new ConfigError('--store is cosmos, and --endpoint is not given. Give the address of the account, such as https://NAME.documents.azure.com.')
  settings['cosmosEndpoint']!.check(given, '--endpoint')
  return given
}

function readPort(given: string): number {
  settings['port']!.check(given, '--port')
  return Number(given)
}
