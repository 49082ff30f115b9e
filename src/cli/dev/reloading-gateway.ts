// A gateway that follows its sources: when the schema folder, the config file, or a file that they import changes, a new
// gateway opens next to the old one and replaces it. If it cannot open, the errors are printed and the old one keeps serving.

import { basename, relative } from 'node:path'
import type { Config } from '../../config/config.ts'
import { followImports } from '../../config/import-module.ts'
import type { Gateway } from '../../http/gateway-server.ts'
import { MigrationNeededError } from '../../evolve/declared/migration-errors.ts'
import type { Log } from '../../observe/log/log.ts'
import { StoredState } from '../../observe/stored-state.ts'
import { readDeclaration, type Declaration } from '../../relations/declaration.ts'
import { CatchUp } from '../../serve/catch-up.ts'
import { GatewaySwap } from '../../serve/gateway-swap.ts'
import type { RequestHandler } from '../../serve/listen.ts'
import { openGateway } from '../../serve/open-gateway.ts'
import { openLog } from '../../serve/open-log.ts'
import { readSchemaFolder, type SchemaFolder } from '../../serve/schema-folder.ts'
import { Memory } from '../../store/memory/memory-store.ts'
import { updateGenerated } from '../codegen/codegen.ts'
import { errorText } from '../command/print-error.ts'
import { migrateMemoryStore, storageOf } from './migrate-memory-store.ts'
import { watchSources, type SourceChange, type Sources, type Watching } from './watch-sources.ts'

export interface ReloadOptions {
  /** Reads the settings, again at every reload. */
  readonly settings: () => Promise<Config>
  /** Every path that the config file can have. */
  readonly configFiles: readonly string[]
}

export async function openReloadingGateway({ settings, configFiles }: ReloadOptions): Promise<{ config: Config; log: Log; handler: RequestHandler }> {
  let watching: Watching | undefined
  const modules = followImports(() => watching?.refresh())
  const config = await settings()
  const log = openLog(config)
  const opener = new Opener(log)

  const sourcesOf = ({ schemaFolder }: Config): Sources => ({ schemaFolder, configFiles, imported: modules.loaded })
  let watched = sourcesOf(config)
  const opening = opener.open(config)
  // A save during the start is served after it.
  let reloading: Promise<unknown> = opening.catch(() => watching?.stop())
  watching = watchSources(watched, (changes) => {
    reloading = reloading.then(() => reload(changes))
  })
  let current = await opening
  const gateways = new GatewaySwap(current.gateway)
  const catchUp = new CatchUp()
  const beginCatchUp = (opened: Opened): void => {
    if (!opened.isIncomplete) return
    const put = (gateway: Gateway): void => {
      gateways.put(gateway)
      if (current === opened) current = { ...opened, gateway, isIncomplete: false }
    }
    catchUp.begin({ config: opened.config, schema: opened.schema, log, state: opener.state, put, open: async () => (await opener.open(opened.config)).gateway })
  }
  beginCatchUp(current)

  async function reload(changes: readonly SourceChange[]): Promise<void> {
    const startMs = performance.now()
    const changed = changes.map(({ text }) => text).join(', ')
    let hasStopped = false
    try {
      if (changes.some(({ file }) => modules.loaded.has(file) || !file.endsWith('.graphql'))) modules.reload()
      const next = await settings()
      // Watch before reading, so that no later save is missed.
      if (next.schemaFolder !== watched.schemaFolder) watching!.move(watched = sourcesOf(next))
      // It computes for the schema of before.
      await catchUp.stop()
      hasStopped = true
      const opened = await opener.open(next)
      const lines = await replace(opened)
      opener.state.differences = []
      current = opened
      beginCatchUp(opened)
      console.log(`Reloaded in ${Math.round(performance.now() - startMs)} ms: ${changed}.`)
      if (next.port !== config.port || next.host !== config.host) console.log('Port and host stay the same until you restart "quire dev".')
      for (const line of [...lines, ...aboutDocuments(changes, next)]) console.log(line)
    } catch (error) {
      opener.state.differences = error instanceof MigrationNeededError ? error.differences : []
      // For the schema that goes on being served.
      if (hasStopped) beginCatchUp(current)
      console.error(`Not reloaded: ${changed}. The previous schema is served until you fix this.\n${errorText(error)}`)
    }
  }

  /** Answers with what was done to the documents. No gateway serves them before they fit its schema. */
  async function replace(next: Opened): Promise<readonly string[]> {
    if (storageOf(next.declaration) === storageOf(current.declaration)) {
      gateways.put(next.gateway)
      return []
    }
    let lines: readonly string[] = []
    try {
      await gateways.putAfter(async () => {
        lines = await migrateMemoryStore(next.config, next.declaration, opener.memory)
      }, next.gateway)
    } catch (error) {
      await next.gateway.dispose()
      throw error
    }
    return lines
  }

  return {
    config,
    log,
    handler: {
      get open() {
        return gateways.open
      },
      answer: (request, response) => gateways.answer(request, response),
      leave: (leaves) => gateways.leave(leaves),
      async close() {
        watching.stop()
        await reloading
        await catchUp.stop()
        await gateways.close()
      },
    },
  }
}

function aboutDocuments(changes: readonly SourceChange[], { store }: Config): string[] {
  const changed = changes.map(({ file }) => basename(file)).find((name) => name.startsWith('documents.'))
  if (changed === undefined) return []
  return [`${changed} fills a new store, and this one is filled: its documents stay.${store.kind === 'memory' ? ' Restart "quire dev" to begin with the new ones.' : ''}`]
}

interface Opened {
  readonly config: Config
  readonly declaration: Declaration
  readonly schema: SchemaFolder
  readonly gateway: Gateway
  /** Whether stored documents do not have everything that is declared yet. */
  readonly isIncomplete: boolean
}

class Opener {
  /** The documents of a memory store outlive each gateway. */
  readonly memory = new Memory()
  readonly state = new StoredState()
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  async open(config: Config): Promise<Opened> {
    for (const file of updateGenerated(config.schemaFolder)) console.log(`Wrote ${relative(process.cwd(), file)}.`)
    const schema = await readSchemaFolder(config.schemaFolder)
    const declaration = readDeclaration(schema.typeDefs, schema.derive, config.tenants !== undefined)
    let isIncomplete = false
    return { config, declaration, schema, gateway: await openGateway(config, schema, this.#log, { memory: this.memory, storedState: this.state, whenIncomplete: () => (isIncomplete = true) }), isIncomplete }
  }
}
