// The seed of the sample library: the same count makes the same documents, and `quire check` finds nothing wrong with them.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkStore } from '../../src/evolve/check/check-store.ts'
import { readDeclaration } from '../../src/relations/declaration.ts'
import { derive } from '../../schema/library/derive.ts'
import { sampleDocuments } from './sample-documents.ts'
import { seed } from '../../schema/library/seed.ts'
import { readSdlFolder } from '../../src/model/sdl/read-sdl.ts'
import { seedBatches, type SeedBatch } from '../../src/serve/schema-folder/seed-file.ts'
import { writeAll } from '../../src/store/write-all.ts'
import { withReservations } from '../../src/write/unique/reservations.ts'
import type { Write } from '../../src/store/store.ts'
import { stores } from '../harness.ts'

const declaration = readDeclaration(readSdlFolder('schema/library'), derive)

function writesOf(books: number, size = 1000): Write[] {
  return batchesOf(books, size).flatMap(({ writes }) => writes)
}

function batchesOf(books: number, size: number): SeedBatch[] {
  return [...seedBatches(declaration.model, { value: seed, file: 'seed.ts' }, books, size)]
}

function idsIn(writes: readonly Write[], container: string): string[] {
  return writes.filter((write) => write.container === container && write.kind === 'put' && write.body['type'] !== 'reviews').map(({ key }) => key.id)
}

test('the same count makes the same documents, in batches of any size', () => {
  expect(writesOf(60, 7)).toEqual(writesOf(60))
})

test('authors and publishers come in proportion, and batches add up', () => {
  const writes = writesOf(100)
  expect(['books', 'authors', 'publishers'].map((container) => idsIn(writes, container).length)).toEqual([100, 30, 6])
  expect(batchesOf(100, 10).reduce((sum, { documents }) => sum + documents, 0)).toBe(seed.total!(100))
})

describe.each(stores)('on $name', ({ store: open }) => {
  test('a check finds nothing wrong, also next to the sample and another count', async () => {
    const store = await open(declaration.layout)
    for (const writes of [sampleDocuments(declaration.model), writesOf(1), writesOf(60)]) await writeAll(store, await withReservations(declaration.model, writes, store))
    const findings: string[] = []
    for await (const { sentence } of checkStore(declaration, store)) findings.push(sentence)
    await store.close()
    expect(findings).toEqual([])
  })
})

describe('as a command', () => {
  let folder: string
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'quire-seed-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const quire = (args: readonly string[], env: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/quire.js', ...args], {
      env: { ...process.env, QUIRE_SCHEMA: '', QUIRE_STORE: `sqlite:${join(folder, 'seed.db')}`, ...env }, encoding: 'utf8',
    })
    return { code: status, out: stdout.trim(), err: stderr.trim() }
  }

  test('it writes each document once', () => {
    const count = writesOf(40).length
    expect(quire(['seed', '40'])).toEqual({ code: 0, out: `${count} documents written, 0 already there.`, err: '' })
    expect(quire(['seed', '40', '--json'])).toEqual({ code: 0, out: `{"written":0,"there":${count},"ended":true}`, err: '' })
    expect(quire(['check'])).toEqual({ code: 0, out: `Checked ${count} documents: no findings.`, err: '' })
  })

  test('a count that is no number, no count, and a schema folder without a seed.ts', () => {
    expect(quire(['seed', 'many'])).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/"many".* books .*500000/) })
    expect(quire(['seed'])).toMatchObject({ code: 2, out: '' })
    expect(quire(['seed', '1'], { QUIRE_SCHEMA: 'test/blog/schema' })).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/no seed\.ts in .*blog.schema/) })
  })
})
