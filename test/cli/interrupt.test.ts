// Ctrl-C during long work: the command exits with 130 and a line that says how to continue, and running it again
// completes the work.

import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { linesOf, quire, startQuire, type Ran, type Surroundings } from './quire.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-interrupt-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Presses Ctrl-C when the command prints a line or creates a file. */
async function interrupted(args: readonly string[], surroundings: Surroundings, when: { says: RegExp } | { makes: string }): Promise<Ran> {
  const started = startQuire(args, surroundings)
  started.stdin!.end()
  const press = (): boolean => started.kill('SIGINT')
  if ('says' in when) {
    const heard = (chunk: unknown): void => {
      if (!when.says.test(String(chunk))) return
      for (const stream of [started.stdout!, started.stderr!]) stream.off('data', heard)
      press()
    }
    for (const stream of [started.stdout!, started.stderr!]) stream.on('data', heard)
  } else {
    void expect.poll(() => existsSync(when.makes), { interval: 5 }).toBe(true).then(press)
  }
  const [out, err, [code]] = await Promise.all([text(started.stdout!), text(started.stderr!), once(started, 'close')])
  return { code: code as unknown, out: linesOf(out), err: linesOf(err) }
}

test('seed continues where it stopped', async () => {
  const store = join(folder, 'seeded.db')
  const seed = ['seed', '5000', '--store', `sqlite:${store}`]
  const { code, out, err } = await interrupted(seed, {}, { makes: `${store}-wal` })
  expect({ code, err }).toEqual({ code: 130, err: [] })
  const [, written] = /^Stopped\..* (\d+) documents written, 0 already there\.$/.exec(out.join('\n')) ?? []
  const again = await quire(seed)
  expect(again).toMatchObject({ code: 0, out: [expect.stringMatching(new RegExp(`^[1-9]\\d* documents written, ${written} already there\\.$`))] })
})

test('compare writes nothing', async () => {
  cpSync('examples/compare', folder, { recursive: true })
  // Prints a line when the comparison begins.
  writeFileSync(join(folder, 'data.ts'), "console.log('begun')\nexport { documents } from './data-itself.ts'")
  cpSync('examples/compare/data.ts', join(folder, 'data-itself.ts'))
  expect(await interrupted(['compare', folder, '--size', '20000', '--html', join(folder, 'report.html')], {}, { says: /begun/ })).toEqual({
    code: 130, out: ['begun'], err: [expect.stringMatching(/^Stopped\. Nothing was written/)],
  })
  expect(existsSync(join(folder, 'report.html'))).toBe(false)
})

test('bench stops its servers', async () => {
  const { code, out, err } = await interrupted(['bench', 'startup', '--rounds', '50', '--only', 'fixed'], {}, { says: /Starting each/ })
  expect({ code, out, line: err.at(-1) }).toEqual({ code: 130, out: [], line: expect.stringMatching(/^Stopped\./) })
})

test('import and check say how to continue', async () => {
  const store = `sqlite:${join(folder, 'zoo.db')}`
  writeFileSync(join(folder, 'zoo.graphql'), `
    type Keeper @document(container: "keepers") { id: ID! name: String! cages: CageConnection! @reverse(of: "Cage.keeper") countOfCages: Int! @counted(relation: "cages") }
    type Cage @document(container: "cages") { id: ID! keeper: Keeper! @snapshot(at: "keeper", fields: ["name"]) }`)
  writeFileSync(join(folder, 'keepers.csv'), `no,name\n,nobody\n${Array.from({ length: 60 }, (_, number) => `k${number},Keeper ${number}`).join('\n')}`)
  writeFileSync(join(folder, 'cages.csv'), `no,keeper\n${Array.from({ length: 6000 }, (_, number) => `c${number},k${number % 60}`).join('\n')}`)
  writeFileSync(join(folder, 'zoo.json'), JSON.stringify({ documents: [
    { type: 'Keeper', file: 'keepers.csv', id: 'no', fields: { name: 'name' } },
    { type: 'Cage', file: 'cages.csv', id: 'no', fields: { keeper: 'keeper' } },
  ] }))
  const settings = ['--schema', folder, '--store', store]
  const importing = await interrupted(['import', join(folder, 'zoo.json'), ...settings], {}, { says: /row 2/ })
  expect(importing).toMatchObject({ code: 130, err: [] })
  expect(importing.out.at(-1)).toMatch(/^Stopped\./)
  expect(await quire(['import', join(folder, 'zoo.json'), ...settings])).toMatchObject({ code: 1 })
  expect(await quire(['check', ...settings])).toMatchObject({ code: 0, out: [expect.stringMatching(/^Checked 6060 documents/)] })

  // Make every snapshot differ from its keeper.
  const database = new DatabaseSync(join(folder, 'zoo.db'))
  database.exec(`UPDATE cages SET body = json_set(body, '$.keeper.name', 'Nobody')`)
  database.close()
  const checking = await interrupted(['check', '--repair', '--save', join(folder, 'before.jsonl'), ...settings], {}, { says: /drifted/ })
  expect(checking).toMatchObject({ code: 130, err: [] })
  expect(checking.out.at(-1)).toMatch(/^Stopped\..* Checked \d+ documents: \d+ findings, \d+ repaired\. .*--undo/)
})
