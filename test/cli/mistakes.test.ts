// Mistakes on the command line. Each gets a line that names what is wrong and what to do, never a stack trace, and the
// exit code tells a mistake (2) from a finding (1).

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  /** Lines; where the wording is not the point, the facts in them. */
  readonly err?: readonly (string | RegExp)[]
  readonly out?: readonly (string | RegExp)[]
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
  'typo/zoo.graphql': cages,
  'typo/derive.ts': 'import "node:fs"\nexport const derive = {\n  Cage: ,\n}',
  'typo-js/zoo.graphql': cages,
  'typo-js/resolvers.js': 'import "./words.js"\nexport const resolvers = {}',
  'typo-js/words.js': '\n\nexport const words = [ ; ]',
  'config/several.json': '{ "port": "http", "stroe": "memory", "log": "verbose" }',
  'config/own.mts': 'export default {}',
  'config/typo.ts': 'export default {\n  port: 4000\n  host: "::1"\n}',
  'config/typo.mjs': 'export default {\n  port: 4000\n  host: "::1"\n}',
  'common/package.json': '{ "type": "commonjs" }',
  'common/quire.config.ts': 'import { join } from "node:path"\nexport default { schema: join("a", "b") }',
  'common/zoo.graphql': cages,
  'common/derive.ts': 'export const derive = {}',
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
const notServed = /^The schema cannot be served/

const stores = /memory, sqlite:PATH, .* or .*/

const mistakes: Record<string, Mistake> = {
  'an unknown command': { typed: ['chekc'], err: ["error: unknown command 'chekc'", '(Did you mean check?)', hint] },
  'an unknown option': { typed: ['dev', '--prot', '1'], err: ["error: unknown option '--prot'", '(Did you mean --port?)', hint] },
  'an extra argument': { typed: ['check', 'everything'], err: ["error: too many arguments for 'check'. Expected 0 arguments but got 1.", hint] },
  'explain without a file': { typed: ['explain'], err: ["error: missing required argument 'file'", hint] },

  'a missing file': { typed: ['explain', 'nowhere.graphql', ...zoo], err: [/nowhere\.graphql/] },
  'a folder instead of a file': { typed: ['explain', 'zoo', ...zoo], err: [/zoo.* folder/] },
  'an operation with a mistake': { typed: ['explain', 'list.graphql', ...zoo], err: ['list.graphql:1:19: Cannot query field "nam" on type "Cage". Did you mean "name"?'] },
  'variables that are not JSON': { typed: ['explain', '-', ...zoo, '--variables', '{first: 1}'], input: '{ cages { totalCount } }', err: [/^--variables is \{first: 1\}.*'\{"first": 10\}'/] },
  'a missing mapping': { typed: ['import', 'nowhere.json', ...zoo], err: [/nowhere\.json.*docs\/import\.md/] },
  'a mapping that is not JSON': { typed: ['import', 'broken.json', ...zoo], err: [/^broken\.json.*Unexpected token '}'/] },
  'a bad row 17': {
    typed: ['import', 'cages.json', ...zoo, '--dry-run'], code: 1,
    out: [/^cages\.csv row 17: year.*"soon".* number/, /19 .*created.* 0 .* 0 .* 1 .*\(\d+\.\d s\)\.$/],
  },
  'questions that are not JSON': { typed: ['compare', 'questions'], err: [/^questions\/questions\.json.*line 1 column 2/] },
  'a report in a missing folder': { typed: ['compare', '--html', 'nowhere/report.html'], err: [/--html nowhere\/report\.html.* no folder .*nowhere\./] },
  'an unknown suite': { typed: ['bench', 'thruput'], err: [/thruput.*throughput, .*latency, .*growth, .*writes, memory, startup, tracing/] },
  'an unknown option of a suite': { typed: ['bench', '--quik'], err: [/'--quik'.*"quire bench --help"/] },

  'an unknown store': { typed: ['check', '--store', 'mongo'], err: [new RegExp(`^--store is "mongo".*${stores.source}`)] },
  'an unknown store in the environment': { typed: ['start'], env: { QUIRE_STORE: 'mongo' }, err: [new RegExp(`^QUIRE_STORE is "mongo".*${stores.source}`)] },
  'a missing store': { typed: ['check', ...zoo, '--store', 'sqlite:none.db'], err: [/none\.db.*--store or QUIRE_STORE.*"quire start"/] },
  'a store that is not a database': { typed: ['start', ...zoo, '--store', 'sqlite:text.db'], err: [/text\.db.* SQLite database/] },
  'a store below a file': { typed: ['start', ...zoo, '--store', 'sqlite:text.db/zoo.db'], err: [/folder text\.db .*a file/] },
  'a store that is a folder': { typed: ['start', ...zoo, '--store', 'sqlite:zoo'], err: [/zoo.*unable to open database file/] },
  'a port that is not a number': { typed: ['dev', '--port', 'http'], err: [/^--port is "http".*0 to 65535/] },
  'an address of another machine': { typed: ['start', ...zoo, '--store', 'memory', '--port', '0', '--host', '192.0.2.1'], err: [/ host "192\.0\.2\.1".*config file, HOST or --host.* 127\.0\.0\.1.* 0\.0\.0\.0/] },
  'several wrong variables': { typed: ['start', ...zoo], env: { PORT: 'http', QUIRE_LOG: 'verbose' }, err: [/^PORT is "http"/, /^QUIRE_LOG is "verbose"/] },
  'missing trusted documents': { typed: ['start', ...zoo, '--store', 'memory', '--port', '0'], env: { QUIRE_TRUSTED_DOCUMENTS: 'nowhere.json' }, err: [/trusted documents.* nowhere\.json.* no such file/] },
  'trusted documents that are not JSON': { typed: ['start', ...zoo, '--store', 'memory', '--port', '0'], env: { QUIRE_TRUSTED_DOCUMENTS: 'broken.json' }, err: [/trusted documents in broken\.json.*Unexpected token '}'/] },
  'something that is not an origin': { typed: ['start'], env: { QUIRE_ORIGINS: 'everyone' }, err: [/^QUIRE_ORIGINS: "everyone".*https:\/\/shop\.example/] },
  'quire dev in production': { typed: ['dev'], env: { NODE_ENV: 'production' }, err: [/NODE_ENV.*"quire start"/] },

  'a missing schema folder': { typed: ['start', '--schema', '/nowhere/at/all'], err: [notServed, /^ {2}- .*\/nowhere\/at\/all.*\.graphql/] },
  'an empty schema folder': { typed: ['dev', '--schema', 'empty'], err: [notServed, /^ {2}- .*empty.*\.graphql.*"quire init"/] },
  'a schema that is not valid GraphQL': {
    typed: ['start', '--schema', 'broken'],
    err: [notServed, '  - a.graphql:3:11: Unknown type "Keeper".', '  - a.graphql:4:16: Unknown directive "@refrence". Did you mean "@reference"?'],
  },
  'a schema that cannot be stored': {
    typed: ['check', '--schema', 'undeclared'],
    err: [notServed, /^ {2}- zoo\.graphql:1:6: Cage\b.*id: ID!/, /^ {2}- zoo\.graphql:3:3: Cage\.tags\b.*@contained\(max: …\).*@bucketed/],
  },
  'functions that throw while loading': { typed: ['start', '--schema', 'throws'], err: [notServed, /^ {2}- derive\.ts.* throws\/derive\.ts:1: no luck/] },
  'a syntax error in TypeScript': { typed: ['start', '--schema', 'typo'], err: [notServed, /^ {2}- derive\.ts cannot be loaded: typo\/derive\.ts:3: /] },
  'a syntax error in imported JavaScript': { typed: ['start', '--schema', 'typo-js'], err: [notServed, /^ {2}- resolvers\.js cannot be loaded: typo-js\/words\.js:3: /] },
  'a schema folder in a CommonJS package': { typed: ['start', '--schema', 'common'], env: { NODE_NO_WARNINGS: '1' }, err: [notServed, /^ {2}- derive\.ts cannot be loaded: .*common\/package\.json says "type": "commonjs".* npm --prefix common pkg set type=module$/] },

  'a missing config file': { typed: ['start', '--config', 'nowhere.json'], err: [/no config file nowhere\.json.*"quire init"/] },
  'a misspelt setting': { typed: ['check', '--config', 'config/unknown.json'], err: [/^config\/unknown\.json: .*"stroe".*"store"/] },
  'a secret in a config file': { typed: ['start', '--config', 'config/secret.json'], err: [/^config\/secret\.json: .*"cosmosKey".*COSMOS_KEY in the environment/] },
  'a config file that is not JSON': { typed: ['dev', '--config', 'config/broken.json'], err: [/^config\/broken\.json.*line 1 column 15/] },
  'several wrong settings in a config file': { typed: ['start', '--config', 'config/several.json'], err: [/several\.json: port is "http"/, /several\.json: .*"stroe"/, /several\.json: log is "verbose"/] },
  'a config file with an ending that is not read': { typed: ['start', '--config', 'config/own.mts'], err: [/^config\/own\.mts .*quire\.config\.json, quire\.config\.ts, quire\.config\.js or quire\.config\.mjs/] },
  'a syntax error in a config file': { typed: ['dev', '--config', 'config/typo.ts'], err: [/^config\/typo\.ts cannot be loaded: config\/typo\.ts:3: /] },
  'a syntax error in a config file in JavaScript': { typed: ['dev', '--config', 'config/typo.mjs'], err: [/^config\/typo\.mjs cannot be loaded: config\/typo\.mjs:3: /] },
  'a config file in a CommonJS package': { typed: ['dev', '--config', 'common/quire.config.ts'], env: { NODE_NO_WARNINGS: '1' }, err: [/^common\/quire\.config\.ts cannot be loaded: .*"type": "commonjs".* npm --prefix common pkg set type=module$/] },

  'a folder that has a config file already': { typed: ['init', 'taken', '--yes'], err: [/taken already has quire\.config\.json.*--force/] },
  'a folder below a file': { typed: ['init', 'text.db/api', '--yes'], err: [/text\.db\/api.* a file/] },
  'a single type': { typed: ['init', 'new', '--types', 'Article'], err: [/^--types is "Article".*Article,Writer/] },
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

describe.concurrent('one line explains', () => {
  for (const [title, { typed, env = {}, input = '', err = [], out = [], code = 2 }] of Object.entries(mistakes)) {
    test(title, async ({ expect: expects }) => {
      expects(await quire(typed, { cwd: folder, env: { QUIRE_STORE: 'sqlite:zoo.db', ...env }, input })).toEqual({ code, out: out.map(matcher), err: err.map(matcher) })
    })
  }

  test('a port in use', async ({ expect: expects }) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    expects(await quire(['start', '--store', 'memory', ...zoo, '--port', String(port)], { cwd: folder })).toEqual({
      code: 2, out: [], err: [expect.stringMatching(new RegExp(`^Port ${port} is in use\\..* PORT or --port`)) as string],
    })
    other.close()
  })
})

describe.concurrent('help', () => {
  const documented = [...readFileSync('docs/commands.md', 'utf8').matchAll(/^\| `quire ([a-z-]+)/gm)].map(([, name]) => name!)

  test('without a command lists exactly the commands of docs/commands.md', async ({ expect: expects }) => {
    const { code, out, err } = await quire([])
    expects({ code, err }).toEqual({ code: 0, err: [] })
    const commands = out.flatMap((line) => /^ {2}([a-z][a-z-]*)(?: \[| <| {2})/.exec(line)?.[1] ?? [])
    expects(commands.toSorted()).toEqual([...documented, 'help'].toSorted())
  })

  test('--version prints the version', async ({ expect: expects }) => {
    expects(await quire(['--version'])).toEqual({ code: 0, out: [expects.stringMatching(/^\d+\.\d+\.\d+$/)], err: [] })
  })

  test.for(documented)('%s --help has an example and the exit codes', async (name, { expect: expects }) => {
    const { code, out, err } = await quire([name, '--help'])
    expects({ code, err }).toEqual({ code: 0, err: [] })
    expects(out.slice(out.indexOf('Example:') + 1)).toContainEqual(expects.stringMatching(new RegExp(`^ {2}\\$ .*quire ${name}`)))
    expects(out.join('\n')).toMatch(/Exits with 0/)
  })
})

function matcher(line: string | RegExp): string {
  return typeof line === 'string' ? line : (expect.stringMatching(line) as string)
}
