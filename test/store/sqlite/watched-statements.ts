// Looking over the shoulder of node:sqlite: something is done before a statement runs, or in its place.
// `vi.restoreAllMocks` ends it.

import { DatabaseSync, StatementSync } from 'node:sqlite'
import { vi } from 'vitest'

type Run = (this: StatementSync, ...values: unknown[]) => ReturnType<StatementSync['run']>

/** Before every prepared statement that writes, begins or ends something. What it throws, the statement throws. */
export function beforeRun(before: (text: string) => void) {
  const run = Reflect.get(StatementSync.prototype, 'run') as Run
  return vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
    before(this.sourceSQL)
    return run.apply(this, values)
  })
}

/** Before every text that is run without being prepared, with a way to run another one on any database. */
export function beforeExec(before: (text: string, exec: (database: DatabaseSync, text: string) => void) => void) {
  const exec = Reflect.get(DatabaseSync.prototype, 'exec')
  return vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, text) {
    before(text, (database, another) => exec.call(database, another))
    return exec.call(this, text)
  })
}
