// A program that is not Quire and changes documents in the file: the body alone, as a person with a SQLite tool does.

import { DatabaseSync } from 'node:sqlite'
import type { Random } from '../hostile/random.ts'
import type { History } from '../history/history.ts'
import { authors } from '../history/documents.ts'
import type { World } from './world.ts'

const changes = 5

export async function runOtherProgram(world: World, history: History, random: Random): Promise<void> {
  const { file } = world.database
  if (file === undefined || !world.scenario.faults.has('other programs')) return
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    for (let change = 1; change <= changes; change++) {
      await world.scheduler.sleep(random.pick([1, 20, 500]) * random.next())
      const [author, value, invokedMs] = [random.pick(authors), `program-${change}`, world.scheduler.nowMs]
      while (!changed(database, author, value)) await world.scheduler.sleep(0.1)
      history.writes.push({ session: 'program', invokedMs, completedMs: world.scheduler.nowMs, outcome: 'done', set: { register: `${author}.note`, value } })
      world.note(`another program changes ${author}.note to ${value}`)
    }
  } finally {
    database.close()
  }
}

/** False while a gateway writes. */
function changed(database: DatabaseSync, author: string, value: string): boolean {
  try {
    return database.prepare("UPDATE authors SET body = json_set(body, '$.note', ?) WHERE id = ?").run(value, author).changes === 1
  } catch {
    return false
  }
}
