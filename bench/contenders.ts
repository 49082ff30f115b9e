// The servers of the comparison: Quire as `quire start` runs it, its peers, and a ceiling that none can reach. Each runs with its
// request log on and, if that can be turned off, without it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { audience, issuer } from './data/issuer.ts'
import type { ServerCommand } from './servers/start-server.ts'

export interface Contender {
  readonly name: string
  readonly title: string
  readonly kind: 'quire' | 'peer' | 'ceiling'
  /** Whether it writes log lines for every request. */
  readonly logs: boolean
  /** Where it is measured. */
  readonly stores: readonly Data['store'][]
  readonly command: (data: Data) => ServerCommand
}

/** The store, where its documents are, and the keys that verify tokens. */
export type Data = { readonly jwks: string } & (
  | { readonly store: 'memory'; readonly documents: string; readonly answers: string }
  | { readonly store: 'sqlite'; readonly database: string }
)

const root = join(import.meta.dirname, '..')

export const contenders: readonly Contender[] = [
  quire('quire', 'Quire, log', {}, true),
  quire('quire-metrics', 'Quire, log, metrics open', { QUIRE_METRICS: 'open' }, true),
  quire('quire-no-log', 'Quire, no log', { QUIRE_LOG: 'warn' }, false),
  ...peers('mercurius', 'Mercurius, JIT, DataLoader', { onSqlite: true }),
  ...peers('mercurius-loaders', 'Mercurius, JIT, its loaders'),
  ...peers('apollo', 'Apollo Server, DataLoader'),
  ...peers('jit-http', 'node:http, graphql-jit, DataLoader'),
  peer('grafast', 'Grafast, grafserv'),
  peer('yoga', 'Yoga, DataLoader', { onSqlite: true }),
  peer('yoga-jit', 'Yoga, graphql-jit, DataLoader'),
  { ...peer('fixed', 'node:http, a fixed answer'), kind: 'ceiling' },
]

function quire(name: string, title: string, settings: Record<string, string>, logs: boolean): Contender {
  return { name, title, kind: 'quire', logs, stores: ['memory', 'sqlite'], command: (data) => quireStart(data, settings) }
}

/** The command of `quire start`, which has no setting but the store, the keys that verify tokens and these. */
export function quireStart(data: Data, settings: Record<string, string>): ServerCommand {
  return {
    args: [join(root, 'bin/quire.js'), 'start'],
    cwd: root,
    env: {
      // Not set: the default of `quire start`.
      QUIRE_LOG: undefined,
      QUIRE_STORE: data.store === 'memory' ? 'memory' : `sqlite:${data.database}`,
      QUIRE_JWKS: data.jwks, QUIRE_ISSUER: issuer, QUIRE_AUDIENCE: audience,
      ...settings,
    },
  }
}

interface PeerOptions {
  /** Whether it is also measured on SQLite. */
  readonly onSqlite?: boolean
  readonly logs?: boolean
}

/** Two rows, for peers that have a request log or a user who writes one: with and without it. */
function peers(name: string, title: string, options: PeerOptions = {}): Contender[] {
  const logged = peer(name, title, { ...options, logs: true })
  return [{ ...logged, name: `${name}-log`, title: `${title}, log` }, { ...peer(name, title, options), title: `${title}, no log` }]
}

function peer(name: string, title: string, { onSqlite = false, logs = false }: PeerOptions = {}): Contender {
  return {
    name, title, kind: 'peer', logs, stores: onSqlite ? ['memory', 'sqlite'] : ['memory'],
    command: (data) => ({
      args: [join(import.meta.dirname, `peers/${name}.ts`)],
      env: {
        BENCH_JWKS: data.jwks,
        ...(logs ? { BENCH_LOG: 'info' } : {}),
        ...(data.store === 'memory' ? { BENCH_DOCUMENTS: data.documents, BENCH_ANSWERS: data.answers } : { BENCH_SQLITE: data.database }),
      },
    }),
  }
}

/** The command of `npm start`. */
export function startCommand(): ServerCommand {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [node, ...args] = scripts.start.split(' ')
  if (node !== 'node') throw new Error(`npm start runs ${node}. Only node can be measured.`)
  return { args, cwd: root }
}
