// Computes, while a gateway serves, what the schema declares and stored documents do not have yet: new copied fields, lists and counts. They are
// looked up meanwhile. When every document has them, a new gateway takes over, which answers from them; no restart is needed.

import type { Config } from '../config/config.ts'
import { checkAllTenants } from '../evolve/check/check-tenants.ts'
import { confirmAll } from '../evolve/confirm-all.ts'
import { openAtLocations } from '../evolve/open-at-locations.ts'
import type { Gateway } from '../http/gateway-server.ts'
import type { Log } from '../observe/log/log.ts'
import type { StoredState } from '../observe/stored-state.ts'
import { readDeclaration } from '../relations/declaration.ts'
import { openStore } from '../store/open-store.ts'
import type { SchemaFolder } from './schema-folder.ts'

export interface CatchingUp {
  readonly config: Config
  readonly schema: SchemaFolder
  readonly log: Log
  /** Told how far it has come. */
  readonly state: StoredState
  /** Opens a gateway like the one that serves. */
  readonly open: () => Promise<Gateway>
  /** From now on, this gateway serves. */
  readonly put: (gateway: Gateway) => void
}

export class CatchUp {
  #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()

  /** Runs in the background until it is done or stopped. Beside other gateways that do the same it only does some work twice. */
  begin(catching: CatchingUp): void {
    this.#stopping = new AbortController()
    this.#running = run(catching, this.#stopping.signal)
  }

  /** Resolves when it has stopped. What was computed by then stays, and the next start goes on. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }
}

/** The log has a line whenever another tenth is done. */
const logged = 0.1

async function run({ config, schema, log, state, open, put }: CatchingUp, signal: AbortSignal): Promise<void> {
  try {
    const { declaration, store } = await openAtLocations(readDeclaration(schema.typeDefs, schema.derive, config.tenants !== undefined), (layout) => openStore(config.store, layout))
    try {
      let next = logged
      let [computed, left]: [number, string | undefined] = [0, undefined]
      const onProgress = ({ round, documents, total }: { readonly round: number; readonly documents: number; readonly total: number }): void => {
        // Further rounds are for fields that are copied again, and look at everything once more.
        state.catchUp = { documents, total }
        if (round > 1 || total === 0 || documents / total < next) return
        next = documents / total + logged
        log.info({}, `Catching up: ${documents} of ${total} documents have been looked at.`)
      }
      for await (const { repair, kind, sentence } of checkAllTenants(declaration, store, { repair: true, signal, onProgress })) {
        if (repair === 'done') computed++
        else if (kind === 'drifted' || kind === 'miscounted' || kind === 'dangling') left ??= sentence
      }
      if (left !== undefined) return log.warn({ reason: left }, 'Not caught up: some documents cannot be computed, so lookups go on. Run "quire check".')
      await confirmAll(declaration, store)
      log.info({}, `Caught up: every stored document has what the schema declares. ${computed} snapshots, lists and counts were computed.`)
    } finally {
      await store.close()
    }
    const gateway = await open()
    if (signal.aborted) await gateway.dispose()
    else put(gateway)
  } catch (error) {
    // Lookups go on, and the next start tries again.
    if (!signal.aborted) log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'Not caught up: lookups go on.')
  } finally {
    state.catchUp = undefined
  }
}
