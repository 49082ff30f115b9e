// Reading from SQLite, through what is remembered and still so. Which connection it reads from, and so
// whose writes it sees, is sqlite-store.ts's choice.
//
// What is remembered is never older than what SQLite would answer at that moment. `PRAGMA data_version`,
// asked before each answer, changes when any other connection in any process has committed; what this
// store's own connection writes is dropped as it writes it. It costs about half of reading one document.

import { keyText, type Key } from '../../model/keys/key.ts'
import { compareScalars, compareText } from '../../model/keys/compare-scalars.ts'
import { scalarAt } from '../conditions.ts'
import type { DocumentCache } from './document-cache.ts'
import { frozen, parseBody } from '../in-process/immutable-json.ts'
import { notSynchronous, type Look } from '../synchronous-reads.ts'
import { containerNamed } from '../store.ts'
import { keyOf, type EngineReads } from '../in-process/in-process-store.ts'
import type { Order, Path, Query, Scalar, Selection } from '../query.ts'
import type { Row, SqliteConnection } from './connection.ts'
import type { QueryWorker } from './worker/query-worker.ts'
import type { Sql } from './sql/sql-fragment.ts'
import type { SqliteContainer } from './layout.ts'
import { isLongCount, isLongQuery } from './worker/is-long-query.ts'
import { countEachSql, countSql, queryEachSql, querySql, readManySql, sizesSql } from './sql/read-sql.ts'
import type { StoredDocument } from '../store.ts'
import type { Uncommitted } from '../in-process/uncommitted.ts'

export interface Remembered {
  readonly documents: DocumentCache
  /** Forgets what others may have changed, and answers with a number that is another one each time they have. */
  readonly refresh: () => number
  /** What is written and not committed, for those who read on the connection that wrote it. */
  readonly unsettled: Uncommitted
}

export interface SqliteReadsOptions {
  readonly connection: SqliteConnection
  readonly containers: ReadonlyMap<string, SqliteContainer>
  readonly remembered: Remembered | undefined
  /** Where long queries go; without it, they run here. */
  readonly elsewhere: QueryWorker | undefined
}

export class SqliteReads implements EngineReads {
  readonly #connection: SqliteConnection
  readonly #containers: ReadonlyMap<string, SqliteContainer>
  readonly #remembered: Remembered | undefined
  readonly #elsewhere: QueryWorker | undefined

  constructor({ connection, containers, remembered, elsewhere }: SqliteReadsOptions) {
    this.#connection = connection
    this.#containers = containers
    this.#remembered = remembered
    this.#elsewhere = elsewhere
  }

  readMany(name: string, keys: readonly Key[]): (StoredDocument | undefined)[] {
    return this.#byKey(name, keys, (document) => document, (container, texts) =>
      this.#connection.all(readManySql(container, texts)).map((row) => [String(row[0]), this.#documentOf(name, row, true)]))
  }

  lookIn(name: string): Look | undefined {
    const remembered = this.#remembered
    if (!remembered) return undefined
    containerNamed(this.#containers, name)
    remembered.refresh()
    const { documents, unsettled } = remembered
    const isSettled = !unsettled.touches(name)
    return (key) => {
      const document = (isSettled ? undefined : unsettled.at(name, key)?.now) ?? documents.document(name, key)
      if (typeof document === 'object') return document
      if (document !== 'gone') throw notSynchronous
      return undefined
    }
  }

  sizes(name: string, keys: readonly Key[]): (number | undefined)[] {
    return this.#byKey(name, keys, ({ bytes }) => bytes, (container, texts) =>
      this.#connection.all(sizesSql(container, texts)).map(([text, bytes]) => [String(text), Number(bytes)]))
  }

  query(query: Query): StoredDocument[] | Promise<StoredDocument[]> {
    const page = (container: SqliteContainer): Question<StoredDocument[]> => ({
      sql: querySql(container, query),
      read: (rows, stored) => rows.map((row) => this.#documentOf(query.container, row, stored)),
      documents: (found) => found,
    })
    const answer = this.#answer(query.container, () => `query ${JSON.stringify(query)}`, page, (container) => isLongQuery(container, query))
    // Answers are remembered, and what is handed out is the caller's.
    return answer instanceof Promise ? answer.then((found) => found.slice()) : answer.slice()
  }

  queryEach(query: Query, by: Path, values: readonly Scalar[]): StoredDocument[][] {
    const pages = (container: SqliteContainer, some: readonly Scalar[]): StoredDocument[][] => {
      const found = some.map((): StoredDocument[] => [])
      for (const row of this.#connection.all(queryEachSql(container, query, by, some))) found[Number(row[4])]!.push(this.#documentOf(query.container, row, true))
      return found.map((page) => page.toSorted(inOrder(query.orderBy)))
    }
    return this.#aboutEach(query.container, () => `each ${JSON.stringify([query, by])}`, values, pages, (page) => page).map((page) => page.slice())
  }

  count(selection: Selection): number | Promise<number> {
    const count = (container: SqliteContainer): Question<number> => ({ sql: countSql(container, selection), read: ([row]) => Number(row![0]), documents: () => [] })
    return this.#answer(selection.container, () => `count ${JSON.stringify(selection)}`, count, (container) => isLongCount(container, selection))
  }

  countEach(selection: Selection, by: Path, values: readonly Scalar[]): number[] {
    const counts = (container: SqliteContainer, some: readonly Scalar[]): number[] => {
      const found = some.map(() => 0)
      for (const [nth, count] of this.#connection.all(countEachSql(container, selection, by, some))) found[Number(nth)] = Number(count)
      return found
    }
    return this.#aboutEach(selection.container, () => `counts ${JSON.stringify([selection, by])}`, values, counts, () => [])
  }

  /** Something about each document, in the order of keys: from those remembered, and from one statement for the rest. */
  #byKey<Value>(
    name: string, keys: readonly Key[], of: (document: StoredDocument) => Value, ask: (container: SqliteContainer, texts: readonly string[]) => [string, Value][],
  ): (Value | undefined)[] {
    const container = containerNamed(this.#containers, name)
    const askFor = (some: readonly Key[]) => new Map(ask(container, some.map(keyText)))
    const pick = (asked: ReadonlyMap<string, Value>) => keys.map((key) => asked.get(keyText(key)))
    const remembered = this.#remembered
    if (!remembered) return pick(askFor(keys))
    const version = remembered.refresh()
    const missing: Key[] = []
    const found = keys.map((key) => {
      const unsettled = remembered.unsettled.at(name, key)?.now
      const document = unsettled ?? remembered.documents.document(name, key)
      if (typeof document === 'object') return of(document)
      if (document !== 'gone') missing.push(key)
      return undefined
    })
    if (missing.length === 0) return found
    const asked = askFor(missing)
    // Someone may have written in between, and all of one answer has to be from the same moment.
    if (missing.length < keys.length && remembered.refresh() !== version) return pick(askFor(keys))
    return missing.length === keys.length ? pick(asked) : keys.map((key, at) => found[at] ?? asked.get(keyText(key)))
  }

  #answer<Answer>(name: string, textOf: () => string, question: (container: SqliteContainer) => Question<Answer>, isLong: (container: SqliteContainer) => boolean): Answer | Promise<Answer> {
    const container = containerNamed(this.#containers, name)
    const text = this.#canRemember(name) ? textOf() : undefined
    const known = this.#known(name, text) as Answer | undefined
    if (known !== undefined) return known
    if (this.#elsewhere && isLong(container) && this.#rows(container) > this.#elsewhere.longRows) return this.#answerLater(this.#elsewhere, name, text, question(container))
    return this.#askHere(name, text, question(container))
  }

  /** An answer about each value, in their order: from those remembered, and from one statement for the rest. */
  #aboutEach<Answer>(
    name: string, textOf: () => string, values: readonly Scalar[],
    ask: (container: SqliteContainer, some: readonly Scalar[]) => Answer[], documents: (answer: Answer) => readonly StoredDocument[],
  ): Answer[] {
    const container = containerNamed(this.#containers, name)
    if (!this.#canRemember(name)) return ask(container, values)
    const [remembered, text] = [this.#remembered!, textOf()]
    const version = remembered.refresh()
    const askAndKeep = (some: readonly Scalar[]): Answer[] => {
      const answers = ask(container, some)
      remembered.documents.keepAnswersAbout(name, text, answers.map((answer, at) => ({ value: some[at]!, answer, documents: documents(answer) })))
      return answers
    }
    const known = remembered.documents.answersAbout(name, text) as ReadonlyMap<Scalar, Answer> | undefined
    if (!known) return askAndKeep(values)
    const found = values.map((value) => known.get(value))
    const missing = values.filter((_, at) => found[at] === undefined)
    if (missing.length === 0) return found as Answer[]
    const asked = askAndKeep(missing)
    // As with documents: all of one answer has to be from the same moment.
    if (missing.length < values.length && remembered.refresh() !== version) return askAndKeep(values)
    let next = 0
    return found.map((answer) => answer ?? asked[next++]!)
  }

  #askHere<Answer>(name: string, text: string | undefined, { sql, read, documents }: Question<Answer>): Answer {
    const answer = read(this.#connection.all(sql), true)
    this.#keep(name, text, answer, documents)
    return answer
  }

  /** By the time it comes, what it says may have been written over: then it is answered, as any reader would be, and not remembered. */
  async #answerLater<Answer>(elsewhere: QueryWorker, name: string, text: string | undefined, { sql, read, documents }: Question<Answer>): Promise<Answer> {
    const moment = this.#remembered?.documents.moment
    const rows = await elsewhere.all(sql)
    this.#remembered?.refresh()
    const stored = this.#remembered?.documents.moment === moment
    const answer = read(rows, stored)
    if (stored) this.#keep(name, text, answer, documents)
    return answer
  }

  /** Where it cannot, nobody needs the question as text. */
  #canRemember(name: string): boolean {
    return this.#remembered !== undefined && !this.#remembered.unsettled.touches(name)
  }

  #known(name: string, text: string | undefined): unknown {
    if (text === undefined) return undefined
    this.#remembered!.refresh()
    return this.#remembered!.documents.answer(name, text)
  }

  #keep<Answer>(name: string, text: string | undefined, answer: Answer, documents: (answer: Answer) => readonly StoredDocument[]): void {
    if (text !== undefined) this.#remembered!.documents.keepAnswer(name, text, answer, documents(answer))
  }

  /** As many as there have ever been, which an index tells at once. */
  #rows({ table }: SqliteContainer): number {
    return this.#connection.attempt('be read', () => Number(this.#connection.get(`SELECT max(row) FROM ${table.text}`)![0] ?? 0))
  }

  #documentOf(name: string, [key, etag, bytes, body]: Row, stored: boolean): StoredDocument {
    const [keyAsText, etagAsText] = [String(key), String(etag)]
    const remembered = this.#remembered
    const known = remembered?.unsettled.withEtag(name, keyAsText, etagAsText) ?? remembered?.documents.unchanged(name, keyAsText, etagAsText, stored)
    if (known) return known
    const document = Object.freeze({ key: frozen(keyOf(keyAsText)), etag: etagAsText, body: parseBody(String(body)), bytes: Number(bytes) })
    if (stored && remembered && !remembered.unsettled.at(name, document.key)) remembered.documents.keep(name, keyAsText, document)
    return document
  }
}

/** A statement, what its rows mean, and which documents are in that. `stored` when they are what is stored now. */
interface Question<Answer> {
  readonly sql: Sql
  readonly read: (rows: readonly Row[], stored: boolean) => Answer
  readonly documents: (answer: Answer) => readonly StoredDocument[]
}

function inOrder({ path, descending }: Order): (a: StoredDocument, b: StoredDocument) => number {
  const sign = descending ? -1 : 1
  return (a, b) => sign * (compareScalars(scalarAt(path, a.body), scalarAt(path, b.body)) || compareText(a.key.id, b.key.id))
}
