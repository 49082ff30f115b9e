// The questions of `quire init`, for everything that the command line leaves open. Answers are checked like options.

import type { Readable, Writable } from 'node:stream'
import { isCancel, select, text } from '@clack/prompts'
import { settings } from '../../config/settings.ts'
import { ConfigError } from '../../errors.ts'
import { storeKinds } from '../../store/open-store.ts'
import { relationChoices, type Plan } from './init-files.ts'

/** The options of the command line. */
export interface GivenAnswers {
  readonly types?: string
  readonly relation?: string
  readonly store?: string
  readonly endpoint?: string
  readonly port?: string
}

/** The terminal, which tests replace. */
export interface Terminal {
  readonly input?: Readable
  readonly output?: Writable
}

const defaults = { types: 'Article,Writer', relation: relationChoices(['Article', 'Writer']).at(-1)!.relation, store: storeKinds.sqlite.choice.text, port: '4000' }

export function planFromOptions(options: GivenAnswers): Plan {
  const types = readTypes(options.types ?? defaults.types)
  const store = readStore(options.store ?? defaults.store)
  return { types, relation: readRelation(options.relation ?? defaults.relation, types), store, endpoint: readEndpoint(options.endpoint, store), port: readPort(options.port) }
}

/** Undefined if the user cancels. */
export async function askForPlan(options: GivenAnswers, terminal: Terminal = {}): Promise<Plan | undefined> {
  const [firstDefault, secondDefault] = defaults.types.split(',') as [string, string]
  try {
    const types = options.types === undefined
      ? await askForTypes(firstDefault, secondDefault, terminal)
      : readTypes(options.types)
    const [first, second] = types
    const relation = options.relation ?? await answered(select({
      ...terminal, message: `How should ${first} refer to its ${second}?`, initialValue: defaults.relation,
      options: relationChoices(types).map(({ relation: value, explained: hint }) => ({ value, label: value, hint })),
    }))
    const store = options.store ?? await answered(select({
      ...terminal, message: 'Where should Quire store the documents?', initialValue: defaults.store,
      options: [storeKinds.sqlite, ...Object.values(storeKinds).filter((kind) => kind !== storeKinds.sqlite)].map(({ choice: { text: value, label, hint } }) => ({ value, label, hint })),
    }))
    const endpoint = options.endpoint ?? (store !== 'cosmos' ? undefined : await answered(text({
      ...terminal, message: 'Which Azure account? Set its key as COSMOS_KEY in the environment.', placeholder: 'https://NAME.documents.azure.com', validate: checked((given) => readEndpoint(given, store)),
    })))
    const port = options.port ?? await answered(text({ ...terminal, message: 'Which port should Quire listen on?', initialValue: defaults.port, validate: checked(readPort) }))
    return { types, relation: readRelation(relation, types), store: readStore(store), endpoint: readEndpoint(endpoint, store), port: readPort(port) }
  } catch (error) {
    if (error instanceof Cancelled) return undefined
    throw error
  }
}

async function askForTypes(firstDefault: string, secondDefault: string, terminal: Terminal): Promise<Plan['types']> {
  const first = await answered(text({ ...terminal, message: 'What is one of your document types called?', initialValue: firstDefault, validate: checked(readType) }))
  const second = await answered(text({ ...terminal, message: `Which type does each ${first} refer to?`, initialValue: secondDefault, validate: checked((given) => readTypes(`${first},${given}`)) }))
  return [first, second]
}

class Cancelled extends Error {}

async function answered(asked: Promise<string | symbol>): Promise<string> {
  const answer = await asked
  if (isCancel(answer)) throw new Cancelled()
  return String(answer)
}

/** The error of an answer, without the name of the option. */
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
    throw new ConfigError(`--types is "${given}". Give two different names, such as ${defaults.types}.`)
  }
  return [readType(first), readType(second)]
}

function readType(name: string): string {
  const example = defaults.types.split(',')[0]
  if (!/^[A-Z][A-Za-z0-9]{0,40}$/.test(name)) throw new ConfigError(`--types is "${name}". Use letters and digits, beginning with a capital letter, such as ${example}.`)
  if (name.endsWith('Connection')) throw new ConfigError(`--types is "${name}". The ending Connection is reserved for pages: choose another name, such as ${example}.`)
  return name
}

function readRelation(given: string, types: Plan['types']): string {
  const known = relationChoices(types).map(({ relation }) => relation)
  if (!known.includes(given)) throw new ConfigError(`--relation is "${given}". Write ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`)
  return given
}

function readStore(given: string): string {
  settings['store']!.parse(given, '--store')
  return given
}

function readEndpoint(given: string | undefined, store: string): string | undefined {
  if (store !== 'cosmos') {
    if (given !== undefined) throw new ConfigError(`--endpoint is "${given}" and the store is ${store}. An endpoint belongs to --store cosmos: add that, or leave out --endpoint.`)
    return undefined
  }
  if (given === undefined) throw new ConfigError('--store is cosmos and --endpoint is missing. Give the address of the Azure account, such as https://NAME.documents.azure.com.')
  settings['cosmosEndpoint']!.parse(given, '--endpoint')
  return given
}

export function readPort(given: string = defaults.port): number {
  settings['port']!.parse(given, '--port')
  return Number(given)
}
