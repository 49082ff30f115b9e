// The documents that all processes of a run share, and how a process opens them. They outlive every process.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStore, Memory } from '../../src/store/memory/memory-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { ContainerLayout, Store } from '../../src/store/store.ts'
import { Random } from '../hostile/random.ts'
import type { Scenario, StoreKind } from './scenario.ts'
import type { Scheduler } from './scheduler.ts'
import { SimulatedProcess } from './simulated-process.ts'
import { cosmosService, followedLayout, type NetworkFaults } from './stores/cosmos-service.ts'
import { sharedFile } from './stores/shared-file.ts'

export class Database {
  readonly kind: StoreKind
  readonly faults: NetworkFaults = { slow: 0, lost: 0, throttled: 0, oddPages: 0 }
  readonly #kinds: Scenario['faults']
  readonly #scheduler: Scheduler
  readonly #memory = new Memory()
  readonly #folder: string | undefined
  readonly #open: Store[] = []
  /** The machine of the service, or one whose clock is right. */
  readonly #machine: SimulatedProcess

  constructor({ store, faults }: Pick<Scenario, 'store' | 'faults'>, scheduler: Scheduler) {
    this.kind = store
    this.#kinds = faults
    this.#scheduler = scheduler
    this.#folder = store === 'sqlite' ? mkdtempSync(join(tmpdir(), 'quire-simulation-')) : undefined
    this.#machine = new SimulatedProcess('the database', scheduler, new Random('database'), 0)
  }

  get file(): string | undefined {
    return this.#folder && join(this.#folder, 'simulated.db')
  }

  async open(layout: readonly ContainerLayout[], process: SimulatedProcess, random: Random): Promise<Store> {
    if (this.kind === 'cosmos') return cosmosService(memoryStore(followedLayout(layout), this.#memory, this.#machine.clock), process, this.#scheduler, random, this.faults)
    return sharedFile(await this.#openFile(layout, process), process, random, this.#kinds)
  }

  /** As it is, without any faults. */
  async inspect(layout: readonly ContainerLayout[]): Promise<Store> {
    return this.kind === 'cosmos' ? memoryStore(followedLayout(layout), this.#memory, this.#machine.clock) : this.#openFile(layout, this.#machine)
  }

  async close(): Promise<void> {
    for (const store of this.#open) await store.close()
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true })
  }

  async #openFile(layout: readonly ContainerLayout[], { clock }: SimulatedProcess): Promise<Store> {
    if (this.file === undefined) return memoryStore(followedLayout(layout), this.#memory, clock)
    const store = await openSqliteStore(this.file, layout, { clock })
    this.#open.push(store)
    return store
  }
}
