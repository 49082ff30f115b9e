// SQLite alone: commits of a given number of documents, one after the other, each on disk before the next begins. No gateway,
// and no index but the key. Prints the result as JSON.

import { DatabaseSync } from 'node:sqlite'

export interface Commits {
  readonly commits: number
  readonly seconds: number
}

const [file = '', documents = '1', bytes = '300', seconds = '1'] = process.argv.slice(2)
const database = new DatabaseSync(file)
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS documents (id TEXT PRIMARY KEY, body TEXT NOT NULL)')
const put = database.prepare('INSERT INTO documents (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body')
const filler = 'x'.repeat(Math.max(0, Number(bytes) - 24))
/** Never the same twice: SQLite would not write an unchanged page, and commit nothing. */
const bodyOf = (commit: number): string => JSON.stringify({ at: String(commit).padStart(9, '0'), text: filler })

let commits = 0
let id = 0
const started = performance.now()
const until = started + Number(seconds) * 1000
while (performance.now() < until) {
  const body = bodyOf(commits)
  database.exec('BEGIN IMMEDIATE')
  for (let document = 0; document < Number(documents); document++) put.run(`d${id++ % 100_000}`, body)
  database.exec('COMMIT')
  commits++
}
console.log(JSON.stringify({ commits, seconds: (performance.now() - started) / 1000 } satisfies Commits))
