// The gateways of one run and what happens to them: they start, crash, freeze, get a wrong clock, and start again in another mode.

import { createGateway, type GatewayOptions } from '../../src/gateway.ts'
import type { Gateway } from '../../src/http/gateway-server.ts'
import { createLog } from '../../src/observe/log/log.ts'
import type { Store } from '../../src/store/store.ts'
import type { EffectsMode } from '../../src/write/writer.ts'
import { Random } from '../hostile/random.ts'
import { Database } from './database.ts'
import type { Scenario } from './scenario.ts'
import { Scheduler } from './scheduler.ts'
import { resolvers } from '../history/schema/resolvers.ts'
import { typeDefs } from './schema.ts'
import { SimulatedProcess } from './simulated-process.ts'

export interface Running {
  readonly process: SimulatedProcess
  readonly effects: EffectsMode
  /** Undefined until it has started. */
  gateway: Gateway | undefined
  /** Requests under way. */
  requests: number
  isLeaving: boolean
}

/** Bugs that tests plant where the simulation meets the product, to see that they are found. */
export interface Planted {
  readonly store?: (store: Store, process: SimulatedProcess) => Store
  readonly options?: (store: () => Store) => Partial<GatewayOptions>
}

const log = createLog({ level: 'silent', readable: false })

export class World {
  readonly scheduler: Scheduler
  readonly scenario: Scenario
  readonly database: Database
  readonly trace: string[] | undefined
  readonly #random: Random
  readonly #planted: Planted
  #running: Running[] = []
  #effects: EffectsMode
  #started = 0

  constructor(scenario: Scenario, seed: number, planted: Planted, trace: string[] | undefined) {
    this.scenario = scenario
    this.scheduler = new Scheduler(scenario.store === 'sqlite' ? 5 : 1)
    this.trace = trace
    this.database = new Database(scenario, this.scheduler)
    this.#random = new Random('world', seed)
    this.#planted = planted
    this.#effects = scenario.effects
  }

  get running(): readonly Running[] {
    return this.#running
  }

  note(line: string): void {
    this.trace?.push(`${this.scheduler.nowMs.toFixed(3)} ${line}`)
  }

  async startAll(): Promise<void> {
    for (let number = 0; number < this.scenario.gateways; number++) await this.start()
  }

  /** A gateway that refuses to start is started again, as a supervisor would. */
  async start(): Promise<void> {
    const name = `g${++this.#started}`
    const random = new Random(name, this.#random.next())
    const process = new SimulatedProcess(name, this.scheduler, random, this.#clockError())
    const running: Running = { process, effects: this.#effects, gateway: undefined, requests: 0, isLeaving: false }
    this.#running.push(running)
    this.note(`${name} starts in mode ${this.#effects}`)
    let opened: Store | undefined
    const options: GatewayOptions = {
      typeDefs, resolvers, log, cursorSecret: 'simulated', openReads: true, openWrites: true, clock: process.clock,
      effects: this.#effects, followEveryMs: this.scenario.followEveryMs,
      store: async (layout) => (opened = this.#traced(await this.#open(layout, process, random), name)),
    }
    const starting = createGateway({ ...options, ...this.#planted.options?.(() => opened!) })
    // A process that crashes while it starts never answers, and nobody waits for it.
    const outcome = await Promise.race([this.#crashed(process), starting.then((gateway) => ({ gateway }), (error: unknown) => ({ error: error as Error }))])
    if (!outcome || process.isDead) return
    if ('gateway' in outcome) {
      running.gateway = outcome.gateway
      return this.note(`${name} is ready`)
    }
    this.note(`${name} cannot start: ${outcome.error.message}`)
    this.crash(running)
    await this.scheduler.sleep(1000)
    return this.start()
  }

  crash(running: Running): void {
    this.note(`${running.process.name} crashes`)
    running.process.crash()
    this.#running = this.#running.filter((one) => one !== running)
  }

  /** Ends in order, unless it takes too long. */
  async leave(running: Running): Promise<void> {
    running.isLeaving = true
    for (let tries = 0; running.requests > 0 && tries < 50 && !running.process.isDead; tries++) await this.scheduler.sleep(100)
    if (running.gateway && running.requests === 0) await Promise.race([running.gateway.dispose(), this.scheduler.sleep(10_000)])
    this.note(`${running.process.name} has left`)
    if (!running.process.isDead) this.crash(running)
  }

  /** All gateways end, in order or not, and start again in the other mode. A supervisor that starts one meanwhile knows the new mode. */
  async changeMode(): Promise<void> {
    const ordered = this.#random.chance(0.5)
    this.#effects = this.#effects === 'feed' ? 'together' : 'feed'
    await Promise.all([...this.#running].map(async (running) => (ordered ? this.leave(running) : this.crash(running))))
    await this.startAll()
  }

  setClock({ process }: Running): void {
    const aheadMs = this.#clockError()
    this.note(`${process.name}'s clock is ${aheadMs} ms ahead`)
    process.setClock(aheadMs)
  }

  #clockError(): number {
    if (!this.scenario.faults.has('clocks')) return 0
    return Math.round(this.#random.pick([0, 1, -1, 30, -30, 3000, -3000, 600_000, -600_000]) * this.#random.next())
  }

  async #open(layout: Parameters<GatewayOptions['store']>[0], process: SimulatedProcess, random: Random): Promise<Store> {
    const store = await this.database.open(layout, process, random)
    return this.#planted.store?.(store, process) ?? store
  }

  async #crashed(process: SimulatedProcess): Promise<undefined> {
    while (!process.isDead) await this.scheduler.sleep(1000)
  }

  #traced(store: Store, name: string): Store {
    if (!this.trace) return store
    return new Proxy(store, {
      get: (target, member: keyof Store) => {
        const value = target[member] as unknown
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          this.note(`${name} ${member} ${described(args)}`)
          return (value as (...all: unknown[]) => unknown).apply(target, args)
        }
      },
    })
  }
}

/** The arguments of a call, without what differs from run to run: the random names of followers and etags. */
function described(args: readonly unknown[]): string {
  return JSON.stringify(args.filter((each) => typeof each !== 'function')).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'someone').replaceAll(/"ifMatch":"[^"]*"/g, '"ifMatch"')
}
