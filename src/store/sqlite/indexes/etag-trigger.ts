// Every change of a document gives it another etag: the cache and the conditions of writes rely on it. Quire's writers make their
// own. For a program that changes the body and leaves the etag as it was, a trigger makes one, so that the change is seen, and
// not overwritten by a writer that has read the document before.

import { identifier, sql } from '../sql/sql-fragment.ts'
import type { Trigger } from './triggers.ts'

export function etagTrigger(container: string): Trigger {
  const table = identifier(container)
  return {
    name: `${container} etag after change`,
    body: sql`AFTER UPDATE OF body ON ${table} WHEN NEW.etag IS OLD.etag AND NEW.body IS NOT OLD.body
      BEGIN UPDATE ${table} SET etag = lower(hex(randomblob(12))), bytes = length(CAST(NEW.body AS BLOB)) WHERE row = NEW.row; END`,
  }
}
