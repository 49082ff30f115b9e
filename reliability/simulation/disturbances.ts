// What goes wrong while clients work: one fault after the other, of the kinds that the scenario has.

import type { Random } from '../hostile/random.ts'
import type { World } from './world.ts'

/** A run with more of them shows little else. */
const maxDisturbances = 5

/** Returns when the clients are done. */
export async function disturb(world: World, working: Promise<unknown>, random: Random): Promise<void> {
  const { faults } = world.scenario
  setNetwork(world, true)
  const ended = new AbortController()
  const over = working.then(() => ended.abort())
  const possible = (['crashes', 'freezes', 'clocks', 'modes'] as const).filter((kind) => faults.has(kind) && (kind !== 'modes' || world.database.kind !== 'cosmos'))
  for (let left = random.between(1, maxDisturbances); !ended.signal.aborted && left > 0; left--) {
    await Promise.race([over, world.scheduler.sleep(random.pick([5, 300, 3000]) * random.next())])
    const victim = world.running.length > 0 ? random.pick(world.running) : undefined
    if (ended.signal.aborted || possible.length === 0 || !victim) continue
    switch (random.pick(possible)) {
      case 'crashes':
        world.crash(victim)
        // A supervisor starts it again.
        void world.scheduler.sleep(random.next() * 2000).then(() => world.start())
        break
      case 'freezes': {
        // Half of them for longer than a lease lasts.
        const ms = random.chance(0.4) ? 31_000 + random.next() * 10_000 : random.next() * 3000
        world.note(`${victim.process.name} freezes for ${ms.toFixed(0)} ms`)
        victim.process.freeze(ms)
        break
      }
      case 'clocks':
        world.setClock(victim)
        break
      case 'modes':
        await Promise.race([world.changeMode(), world.scheduler.sleep(30_000)])
        break
    }
  }
  await over
}

/** From now on nothing goes wrong any more. Clocks stay as they are. */
export async function heal(world: World): Promise<void> {
  setNetwork(world, false)
  for (const { process } of world.running) process.thaw()
  while (world.running.length < world.scenario.gateways) await world.start()
}

function setNetwork({ database, scenario: { faults } }: World, isOn: boolean): void {
  const share = (kind: Parameters<typeof faults.has>[0], of: number): number => (isOn && faults.has(kind) ? of : 0)
  Object.assign(database.faults, { slow: share('slow network', 0.15), lost: share('lost answers', 0.02), throttled: share('throttling', 0.05), oddPages: share('odd pages', 0.4) })
}
