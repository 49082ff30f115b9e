// Spies on node:sqlite: runs something before a statement, or in its place.
// `vi.restoreAllMocks` removes them.

import { DatabaseSync, StatementSync } from 'node:sqlite'
import { vi } from 'vitest'

type Run = (this: StatementSync, ...values: unknown[]) => ReturnType<StatementSync['run']>

/** Runs before every prepared statement that writes, begins or ends something. If it throws, the statement throws. */
export function beforeRun(before: (text: string) => void) {
  const run = Reflect.get(StatementSync.prototype, 'run') as Run
  return vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
    before(this.sourceSQL)
    return run.apply(this, values)
  })
}

/** Runs before every statement that is executed without being prepared, and can execute another one on any database. */
export function beforeExec(before: (text: string, exec: (database: DatabaseSync, text: string) => void) => void) {
  const exec = Reflect.get(DatabaseSync.prototype, 'exec')
  return vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, text) {
    before(text, (database, another) => exec.call(database, another))
    return exec.call(this, text)
  })
}
