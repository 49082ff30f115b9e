// A small zoo on SQLite, in a folder with its schema, for tests that run `quire migrate` as a process.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { quire as runQuire, type Ran } from './quire.ts'

export const sdl = 'type Cage @document(container: "cages") { id: ID! label: String! places: Int }'

export interface MigratedZoo {
  /** Of the running test. */
  readonly folder: string
  save(schema: string): void
  quire(...args: string[]): Promise<Ran>
}

/** A new one for each test of the file, with two cages. */
export function migratedZoo(): MigratedZoo {
  let folder = ''
  const zoo: MigratedZoo = {
    get folder() {
      return folder
    },
    save: (schema) => writeFileSync(join(folder, 'zoo.graphql'), schema),
    quire: (...args) => runQuire(args, { cwd: folder, env: { QUIRE_SCHEMA: folder, QUIRE_STORE: `sqlite:${join(folder, 'zoo.db')}`, PORT: '0' } }),
  }
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-migrate-'))
    zoo.save(sdl)
    writeFileSync(join(folder, 'cages.csv'), 'id,label,places\nc1,One,1\nc2,Two,2\n')
    writeFileSync(join(folder, 'mapping.json'), JSON.stringify({ documents: [{ file: 'cages.csv', type: 'Cage', id: 'id', fields: { label: 'label', places: 'places' } }] }))
    expect(await zoo.quire('import', join(folder, 'mapping.json'), '--from', folder)).toMatchObject({ code: 0 })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  return zoo
}
