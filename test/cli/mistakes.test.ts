// The wrong things people type. Each is said in a line that names what is wrong and what to do, never in a
// stack trace, and the exit code tells a mistake (2) from a finding (1).

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quire } from './quire.ts'

interface Mistake {
  readonly typed: readonly string[]
  readonly env?: Record<string, string>
  readonly input?: string
  readonly err?: readonly string[]
  readonly out?: readonly string[]
  readonly code?: number
}

const cages = 'type Cage @document(container: "cages") { id: ID! name: String! year: Int }'
const rows = Array.from({ length: 20 }, (_, row) => `c${row},Cage ${row},${row === 15 ? 'soon' : 2000}`)
const mapping = { documents: [{ type: 'Cage', file: 'cages.csv', id: 'no', fields: { name: 'name', year: 'year' } }] }

const files: Record<string, string> = {
  'zoo/zoo.graphql': cages,
  'broken/a.graphql': 'type Cage @document(container: "cages") {\n  id: ID!\n  keeper: Keeper @reference(at: "keeperId")\n  house: House @refrence(at: "houseId")\n}',
  'broken/b.graphql': 'type House @document(container: "houses") { id: ID! }',
  'undeclared/zoo.graphql': 'type Cage @document(container: "cages") {\n  name: String!\n  tags: [String!]!\n}',
  'throws/zoo.graphql': 'type Cage @document(container: "cages") { id: ID! label: String! @derived }',
  'throws/derive.ts': 'throw new Error("no luck")',
  'empty/readme.txt': 'There is no SDL here.',
  'text.db': 'This is not a database, and it is longer than the header of one is. '.repeat(20),
  'cages.csv': `no,name,year\n${rows.join('\n')}`,
  'cages.json': JSON.stringify(mapping),
  'broken.json': '{\n  "documents": [\n}',
  'list.graphql': '{ cages { nodes { nam } } }',
  'config/unknown.json': '{ "stroe": "memory" }',
  'config/variable.json': '{ "QUIRE_STORE": "memory" }',
  'config/secret.json': '{ "cosmosKey": "abc" }',
  'config/store.json': '{ "store": "mongo" }',
  'config/port.json': '{ "port": true }',
  'config/list.json': '[]',
  'config/broken.json': '{ "port": 4000',
  'questions/questions.json': '{',
  'questions/data.ts': 'export const documents = () => []',
  'taken/quire.config.json': '{}',
}

const zoo = ['--schema', 'zoo']
const hint = 'Run "quire --help" to see every command.'

const mistakes: Record<string, Mistake> = {
  'an unknown command': { typed: ['chekc'], err: ["error: unknown command 'chekc'", '(Did you mean check?)', hint] },
  'an unknown option': { typed: ['dev', '--prot', '1'], err: ["error: unknown option '--prot'", '(Did you mean --port?)', hint] },
  'one argument too many': { typed: ['check', 'everything'], err: ["error: too many arguments for 'check'. Expected 0 arguments but got 1.", hint] },
  'nothing to explain': { typed: ['explain'], err: ["error: missing required argument 'file'", hint] },

  'a file that is not there': { typed: ['explain', 'nowhere.graphql', ...zoo], err: ['There is no file nowhere.graphql. Check the name, and where you are.'] },
  'a folder instead of a file': { typed: ['explain', 'zoo', ...zoo], err: ['zoo is a folder. Name a file in it.'] },
  'an operation with a mistake': { typed: ['explain', 'list.graphql', ...zoo], err: ['list.graphql:1:19: Cannot query field "nam" on type "Cage". Did you mean "name"?'] },
  'variables that are no JSON': { typed: ['explain', '-', ...zoo, '--variables', '{first: 1}'], input: '{ cages { totalCount } }', err: ['--variables is {first: 1}. Give a JSON object, such as \'{"first": 10}\'.'] },
  'a mapping that is not there': { typed: ['import', 'nowhere.json', ...zoo], err: ['There is no mapping at nowhere.json. docs/import.md says how to write one.'] },
  'a mapping that is no JSON': { typed: ['import', 'broken.json', ...zoo], err: ['broken.json is no JSON: Unexpected token \'}\', "{ "documents": [ }" is not valid JSON.'] },
  'a bad row 17': {
    typed: ['import', 'cages.json', ...zoo, '--dry-run'], code: 1,
    out: ['cages.csv row 17: year is "soon", which is no number.', expect.stringMatching(/^This would be done: 19 documents created, 0 changed, 0 as they were, 1 refused \(\d+\.\d s\)\.$/) as string],
  },
  'questions that are no JSON': { typed: ['compare', 'questions'], err: ['questions/questions.json is no JSON: Expected property name or \'}\' in JSON at position 1 (line 1 column 2).'] },
  'a report in a folder that is not there': { typed: ['compare', '--html', 'nowhere/report.html'], err: [expect.stringMatching(/^--html is nowhere\/report\.html, and there is no folder .*nowhere\. Make it, or name another file\.$/) as string] },
  'an unknown suite': { typed: ['bench', 'thruput'], err: ['There is no suite thruput. There is throughput, latency, growth, writes, memory, startup, tracing, and all.'] },
  'an unknown option of a suite': { typed: ['bench', '--quik'], err: ["Unknown option '--quik'. Run \"quire bench --help\" to see every option."] },

  'an unknown store': { typed: ['check', '--store', 'mongo'], err: ['--store is "mongo". Write memory, sqlite:PATH or cosmos.'] },
  'an unknown store in the environment': { typed: ['start'], env: { QUIRE_STORE: 'mongo' }, err: ['QUIRE_STORE is "mongo". Write memory, sqlite:PATH or cosmos.'] },
  'a store that is not there': { typed: ['check', ...zoo, '--store', 'sqlite:none.db'], err: ['There is no store at none.db. Name the one you mean with --store or QUIRE_STORE, or make this one with "quire start".'] },
  'a store that is no database': { typed: ['start', ...zoo, '--store', 'sqlite:text.db'], err: ['text.db is not a SQLite database. Name another file as the store, or move this one away.'] },
  'a store in what is no folder': { typed: ['start', ...zoo, '--store', 'sqlite:text.db/zoo.db'], err: ['Cannot create the folder text.db for the SQLite store: a file has that name. Name a file in another folder.'] },
  'a store that is a folder': { typed: ['start', ...zoo, '--store', 'sqlite:zoo'], err: ['The SQLite store zoo could not be opened: unable to open database file. Name a file, in a folder that you may write in.'] },
  'a port that is none': { typed: ['dev', '--port', 'http'], err: ['--port is "http". Give a number from 0 to 65535.'] },
  'a host that is elsewhere': { typed: ['start', ...zoo, '--store', 'memory', '--port', '0', '--host', '192.0.2.1'], err: [expect.stringMatching(/^HOST is "192\.0\.2\.1".* 127\.0\.0\.1.* 0\.0\.0\.0/) as string] },
  'trusted documents that are not there': { typed: ['start', ...zoo, '--store', 'memory', '--port', '0'], env: { QUIRE_TRUSTED_DOCUMENTS: 'nowhere.json' }, err: [expect.stringMatching(/trusted documents.* nowhere\.json.* no such file/) as string] },
  'trusted documents that are no JSON': { typed: ['start', ...zoo, '--store', 'memory', '--port', '0'], env: { QUIRE_TRUSTED_DOCUMENTS: 'broken.json' }, err: [expect.stringMatching(/^The trusted documents in broken\.json cannot be used: .*Unexpected token '}'/) as string] },
  'an origin that is none': { typed: ['start'], env: { QUIRE_ORIGINS: 'everyone' }, err: ['QUIRE_ORIGINS: "everyone" is no origin. Write them as browsers do, with commas between: https://shop.example, http://localhost:5173.'] },
  'development in production': { typed: ['dev'], env: { NODE_ENV: 'production' }, err: ['NODE_ENV is production, and "quire dev" lets everyone write. Serve with "quire start", or leave NODE_ENV out.'] },

  'a schema folder that is not there': { typed: ['start', '--schema', '/nowhere/at/all'], err: ['The schema cannot be served:', '  - There is no schema folder /nowhere/at/all. Name a folder of .graphql files.'] },
  'a schema folder with nothing in it': { typed: ['dev', '--schema', 'empty'], err: ['The schema cannot be served:', expect.stringMatching(/^ {2}- The schema folder .*empty has no \.graphql file in it\. "quire init" writes one to start from\.$/) as string] },
  'a schema that GraphQL does not understand': {
    typed: ['start', '--schema', 'broken'],
    err: ['The schema cannot be served:', '  - a.graphql:3:11: Unknown type "Keeper".', '  - a.graphql:4:16: Unknown directive "@refrence". Did you mean "@reference"?'],
  },
  'a schema that cannot be stored': {
    typed: ['check', '--schema', 'undeclared'],
    err: [
      'The schema cannot be served:', '  - zoo.graphql:1:6: Cage is a document type, so it needs the field id: ID!.',
      '  - zoo.graphql:3:3: Cage.tags is a list inside its document with no bound. Say how long it can get with @contained(max: …), or declare it @bucketed.',
    ],
  },
  'functions that cannot be loaded': { typed: ['start', '--schema', 'throws'], err: ['The schema cannot be served:', '  - derive.ts cannot be loaded: no luck'] },

  'a config file that is not there': { typed: ['start', '--config', 'nowhere.json'], err: [expect.stringMatching(/no config file nowhere\.json.*"quire init"/) as string] },
  'a setting that is misspelt': { typed: ['check', '--config', 'config/unknown.json'], err: [expect.stringMatching(/^config\/unknown\.json: .*"stroe"\. Did you mean "store"\?$/) as string] },
  'a secret in a config file': { typed: ['start', '--config', 'config/secret.json'], err: [expect.stringMatching(/^config\/secret\.json: .*"cosmosKey"\. .*set COSMOS_KEY in the environment\.$/) as string] },
  'a config file that is no JSON': { typed: ['dev', '--config', 'config/broken.json'], err: [expect.stringMatching(/^config\/broken\.json is not JSON: .*line 1 column 15/) as string] },

  'a folder that has a config already': { typed: ['init', 'taken', '--yes'], err: [expect.stringMatching(/^There is quire\.config\.json in .*taken already, and nothing was written\. Name another folder, or say --force to replace it\.$/) as string] },
  'a folder that cannot be made': { typed: ['init', 'text.db/api', '--yes'], err: ['text.db/api/schema is not in a folder: a part of its name is a file.'] },
  'types that cannot be': { typed: ['init', 'new', '--types', 'Article'], err: ['--types is "Article". Give two different names, such as Article,Writer.'] },
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-mistakes-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.concurrent('what is said of', () => {
  for (const [title, { typed, env = {}, input = '', err = [], out = [], code = 2 }] of Object.entries(mistakes)) {
    test(title, async ({ expect: expects }) => {
      expects(await quire(typed, { cwd: folder, env: { QUIRE_STORE: 'sqlite:zoo.db', ...env }, input })).toEqual({ code, out, err })
    })
  }

  test('a port that is taken', async ({ expect: expects }) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    expects(await quire(['start', '--store', 'memory', ...zoo, '--port', String(port)], { cwd: folder })).toEqual({
      code: 2, out: [], err: [expect.stringMatching(new RegExp(`^Port ${port} is in use\\..* PORT or --port`)) as string],
    })
    other.close()
  })
})

describe.concurrent('what is no mistake', () => {
  test('nothing at all: every command is listed', async ({ expect: expects }) => {
    const { code, out, err } = await quire([])
    expects({ code, err }).toEqual({ code: 0, err: [] })
    const commands = out.flatMap((line) => /^ {2}([a-z-]+)(?: \[| <| {2})/.exec(line)?.[1] ?? [])
    expects(commands).toEqual(expects.arrayContaining(['dev', 'start', 'init', 'check', 'explain', 'compare', 'dead-letters', 'import', 'seed', 'bench', 'help']))
  })

  test('--version', async ({ expect: expects }) => {
    expects(await quire(['--version'])).toEqual({ code: 0, out: [expects.stringMatching(/^\d+\.\d+\.\d+$/)], err: [] })
  })

  test.for(['dev', 'start', 'init', 'check', 'explain', 'compare', 'dead-letters', 'import', 'seed', 'bench'])('%s --help, which teaches by example and tells the exit codes', async (name, { expect: expects }) => {
    const { code, out, err } = await quire([name, '--help'])
    expects({ code, err }).toEqual({ code: 0, err: [] })
    const example = out.indexOf('Example:')
    expects(out[example + 1]).toMatch(new RegExp(`^ {2}\\$ .*quire ${name}`))
    expects(out.join('\n')).toMatch(/Exits with 0/)
  })
})
