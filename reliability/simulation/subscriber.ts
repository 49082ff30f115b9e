// A subscriber that wants to know every author's latest name. When its gateway goes away, it resumes on another one after the
// last event that it received.

import { authors } from '../history/documents.ts'
import type { History } from '../history/history.ts'
import { subscribe } from '../../test/over-http.ts'
import type { Running, World } from './world.ts'

interface Event {
  readonly data?: { readonly authorChanged: { readonly id: string; readonly name: string; readonly note: string } | null }
  readonly extensions?: { readonly quire?: { readonly cursor?: string } }
}

/** Until the run is over. */
export async function subscribeTo(world: World, history: History, name: string, over: AbortSignal): Promise<void> {
  const ended = new Promise<undefined>((resolve) => over.addEventListener('abort', () => resolve(undefined)))
  const told: History['subscriptions'][number]['told'] = []
  let after: string | undefined
  while (!over.aborted) {
    const running = world.running.find(({ gateway, isLeaving }) => gateway && !isLeaving)
    if (!running) {
      await world.scheduler.sleep(100)
      continue
    }
    const query = `subscription { authorChanged${after === undefined ? '' : `(after: ${JSON.stringify(after)})`} { id name note } }`
    const events = await Promise.race([subscribe<Event>(running.gateway!, { query }), gone(world, running)])
    const next = async (): Promise<Event | undefined> => events && Promise.race([events.next(), gone(world, running), ended])
    for (let event = await next(); event; event = await next()) {
      const author = event.data?.authorChanged
      if (!author) continue
      after = event.extensions?.quire?.cursor ?? after
      told.push({ register: author.id, value: author.name, atMs: world.scheduler.nowMs }, { register: `${author.id}.note`, value: author.note, atMs: world.scheduler.nowMs })
      world.note(`${name} is told ${author.id} ${author.name} ${author.note}`)
      // Only from the first event on is it certain that it misses nothing: it can resume after it.
      if (history.subscriptions.every((one) => one.name !== name)) history.subscriptions.push({ name, registers: authors.flatMap((id) => [id, `${id}.note`]), sinceMs: world.scheduler.nowMs, told })
    }
    // A gateway that has crashed does not answer this either.
    void events?.end()
    if (!over.aborted) world.note(`${name} goes to another gateway`)
  }
}

async function gone(world: World, { process }: Running): Promise<undefined> {
  while (!process.isDead) await world.scheduler.sleep(500)
}
