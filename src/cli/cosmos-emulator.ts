// `quire cosmos-emulator`: an emulator of Azure Cosmos DB on a port, until a signal ends it.

import { ConfigError } from '../errors.ts'
import { onEndSignal } from '../serve/end-signals.ts'
import { listenError } from '../serve/listen-error.ts'
import type { CliCommand } from './command/command.ts'

export const command: CliCommand = {
  options: {
    '--port <number>': 'the port to listen on; default 8081, 0 for a free one',
    '--host <address>': 'the address to listen on; default 127.0.0.1',
    '--partitions <number>': 'physical partitions of each new container; default 4',
    '--latency <ms>': 'how long each request for documents takes at least',
    '--throttle <rate>': 'the share of requests for documents to answer with 429, from 0 to 1',
  },
  help: `
Speaks the protocol of Azure Cosmos DB for NoSQL over plain http, with the key that all its emulators have, and keeps everything in
memory: when it ends, all is gone. docs/cosmos-emulator.md says what it does, what it does not, and how to make it split a
partition or fail while it runs.

Exits with 0 after a signal, with 2 when it cannot listen.

Example:
  $ quire cosmos-emulator --partitions 16
  $ QUIRE_STORE=cosmos COSMOS_ENDPOINT=http://127.0.0.1:8081 COSMOS_KEY=C2y6yDjf5/R… quire dev`,
  run: (options: Options) => runCosmosEmulator(options),
}

interface Options {
  readonly port?: string
  readonly host?: string
  readonly partitions?: string
  readonly latency?: string
  readonly throttle?: string
}

/** The newest requests, for `GET /_emulator/log`: an emulator may run for days. */
const logLimit = 10_000

async function runCosmosEmulator(options: Options): Promise<undefined> {
  const port = numberOf(options, 'port', 8081, { min: 0, max: 65_535 })
  const partitions = numberOf(options, 'partitions', 4, { min: 1, max: 1000 })
  const latencyMs = numberOf(options, 'latency', 0, { min: 0, max: 60_000 })
  const throttle = numberOf(options, 'throttle', 0, { min: 0, max: 1, isRate: true })
  const { host = '127.0.0.1' } = options
  const { startCosmosEmulator } = await import('../emulator/cosmos-emulator.ts')
  const emulator = await startCosmosEmulator({ port, host, partitions, logLimit }).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(listenError(error, port, host), { cause: error })
  })
  Object.assign(emulator.faults, { latencyMs, throttle })
  console.log(`Emulating Azure Cosmos DB at ${emulator.endpoint}, with ${partitions} physical partitions in each new container. Key: ${emulator.key}`)
  onEndSignal(() => void emulator.close().then(() => process.exit(0)))
}

function numberOf(options: Options, name: keyof Options, otherwise: number, { min, max, isRate = false }: { min: number; max: number; isRate?: boolean }): number {
  const text = options[name]
  if (text === undefined) return otherwise
  const value = text.trim() === '' ? NaN : Number(text)
  if (!(value >= min && value <= max) || (!isRate && !Number.isInteger(value))) throw new ConfigError(`--${name} has to be a ${isRate ? '' : 'whole '}number from ${min} to ${max}, not "${text}".`)
  return value
}
