// A subscriber on one simulated gateway after the other, until the run is over.

import type { History } from '../history/history.ts'
import { Subscriber, type ToldEvent } from '../history/subscriber.ts'
import { subscribe } from '../../test/over-http.ts'
import type { Running, World } from './world.ts'

export async function subscribeTo(world: World, history: History, name: string, over: AbortSignal): Promise<void> {
  const ended = new Promise<undefined>((resolve) => over.addEventListener('abort', () => resolve(undefined)))
  const subscriber = new Subscriber(name, history)
  while (!over.aborted) {
    const running = world.running.find(({ gateway, isLeaving }) => gateway && !isLeaving)
    if (!running) {
      await world.scheduler.sleep(100)
      continue
    }
    const events = await Promise.race([subscribe<ToldEvent>(running.gateway!, { query: subscriber.query }), gone(world, running)])
    const next = async (): Promise<ToldEvent | undefined> => events && Promise.race([events.next(), gone(world, running), ended])
    for (let event = await next(); event; event = await next()) {
      const told = subscriber.take(event, world.scheduler.nowMs)
      if (told !== undefined) world.note(`${name} is told ${told}`)
    }
    // A gateway that has crashed does not answer this either.
    void events?.end()
    if (!over.aborted) world.note(`${name} goes to another gateway`)
  }
}

async function gone(world: World, { process }: Running): Promise<undefined> {
  while (!process.isDead) await world.scheduler.sleep(500)
}
