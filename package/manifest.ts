// The package.json of what is published. It takes version, description and dependencies from the repository's own.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const modules = globSync('*.ts', { cwd: join(import.meta.dirname, '../src/entries') }).map((file) => file.slice(0, -'.ts'.length)).toSorted()

/** What people may import, and the file that exports it: each file in src/entries/, one about another as a path below it. Everything else is internal. */
export const entries: Readonly<Record<string, string>> = {
  '.': 'src/index',
  ...Object.fromEntries(modules.map((name) => [`./${pathOf(name)}`, `src/entries/${name}`])),
  './testing/store': 'test/store/conformance/index',
}

/** `cosmos/read-many` for `cosmos-read-many`, where there is a `cosmos`. */
function pathOf(name: string): string {
  const above = modules.find((each) => name.startsWith(`${each}-`))
  return above === undefined ? name : `${above}/${name.slice(above.length + 1)}`
}

export function manifest(root: string): object {
  const { version, description, license, keywords, bin, dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Repository
  const { graphql: _graphql, '@azure/identity': identity, ...others } = dependencies
  return {
    name: 'quire-graphql',
    version,
    description,
    keywords,
    license,
    type: 'module',
    // The oldest releases whose node:sqlite has everything that the SQLite store calls.
    engines: { node: '^22.16.0 || >=24.0.0' },
    bin,
    files: ['bin', 'docs', 'examples', 'schema', 'src', 'test', 'web', 'CHANGELOG.md'],
    exports: {
      ...Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, { types: `./${file}.d.ts`, default: `./${file}.js` }])),
      './package.json': './package.json',
    },
    dependencies: others,
    // GraphQL.js rejects values of a second copy, so the application and Quire share the application's. Older releases cannot
    // hide suggestions, which would show names of the schema in production.
    peerDependencies: { graphql: '^16.15.0', ...optionalPeers(identity!, devDependencies) },
    peerDependenciesMeta: Object.fromEntries(Object.keys(optionalPeers(identity!, devDependencies)).map((name) => [name, { optional: true }])),
  }
}

/** For those who sign in with Entra ID, and for those who test a store of their own. Both are large, and few need them. */
function optionalPeers(identity: string, { vitest, 'fast-check': fastCheck }: Readonly<Record<string, string>>): Record<string, string> {
  return { '@azure/identity': `^${identity}`, vitest: `>=${vitest}`, 'fast-check': `^${fastCheck}` }
}

interface Repository {
  readonly version: string
  readonly description: string
  readonly license: string
  readonly keywords: readonly string[]
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
