// Lints GraphQL: the served schema, the SDL it comes from, and the operations of the examples, with graphql-eslint's
// recommended rules and those for Relay; each exception gives its reason. oxlint checks TypeScript, and Relay's compiler
// checks Relay's operations, for which it has its own naming rules.

import graphql from '@graphql-eslint/eslint-plugin'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { print, printSchema } from 'graphql'
import { readDeclaration } from './src/relations/declaration.ts'
import { servedSchema } from './src/plan/explain/explain.ts'
import { mutationsSdl } from './src/model/api/mutations.ts'
import { readModel } from './src/model/read-model.ts'
import { joined, readSdl, readSdlFolder } from './src/model/sdl/read-sdl.ts'

const library = readModel(readSdlFolder('schema/library'))
const shop = readSdlFolder('examples/shop')
const compared = globSync('examples/compare/*/schema.graphql').map((file) => ({ folder: dirname(file), declared: readSdl(readFileSync(file, 'utf8'), file) }))

/** The schema that each file is checked against. The first project that includes a file applies. */
const projects = {
  served: { schema: 'schema.graphql', include: 'schema.graphql' },
  declared: { schema: withVocabulary(library), include: 'schema/{,library/}*.graphql' },
  operations: { schema: 'schema.graphql', documents: 'schema/library/operations/*.graphql' },
  clients: { schema: 'schema.graphql', documents: 'examples/clients/*.graphql' },
  shop: { schema: withVocabulary(readModel(shop)), include: 'examples/shop/*.graphql' },
  'shop asked': { schema: printSchema(servedSchema(readDeclaration(shop))), documents: 'examples/shop/operations/*.graphql' },
  ...Object.fromEntries(compared.flatMap(({ folder, declared }) => [
    [`${folder} declared`, { schema: withVocabulary(readModel(declared)), include: `${folder}/schema.graphql` }],
    [`${folder} asked`, { schema: printSchema(servedSchema(readDeclaration(declared))), documents: `${folder}/operations.graphql` }],
  ])),
}

const { 'flat/schema-recommended': recommended, 'flat/schema-relay': relay, 'flat/operations-recommended': operations } = graphql.configs

const schemaRules = {
  ...recommended.rules,
  // The rule compares letters, but `reviewer` of a Review and `tradedAt` of a Trade are different words, and `nodeId`
  // distinguishes two ids. test/library/schema.test.ts compares words.
  '@graphql-eslint/no-typename-prefix': 'off',
  // Contained objects have no identity, nor do the types around pages, aggregates and mutations.
  '@graphql-eslint/strict-id-in-types': ['error', { exceptions: { types: [...new Set(['PageInfo', ...library.model.contained.keys(), ...readModel(shop).model.contained.keys()])], suffixes: ['Connection', 'Edge', 'Payload', 'BatchResult', 'Failure', 'Aggregate', 'AggregateNumbers', 'AggregateValues', 'AggregateGroup', 'AggregateKeys'] } }],
}

const servedRules = {
  ...schemaRules,
  ...relay.rules,
  // Short lists stay in their document, `nodes` is a page without cursors, and entries of a bucketed list are not
  // documents. test/library/schema.test.ts checks that every other list has a bound, and that every other edge has a Node.
  '@graphql-eslint/relay-edge-types': ['error', { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false }],
}

// Quire generates pages, edges and their arguments, so Relay's rules apply to the served schema only.
const declaredRules = {
  ...schemaRules,
  // Short descriptions are on one line, long ones in a block. test/library/schema.test.ts checks that.
  '@graphql-eslint/description-style': 'off',
  // A schema need not use every type of the vocabulary. The served schema has to pass this rule.
  '@graphql-eslint/no-unreachable-types': 'off',
}

export default [
  linted(['schema.graphql'], servedRules),
  linted(['schema/*.graphql', 'schema/library/*.graphql', 'examples/shop/*.graphql'], declaredRules),
  linted(['examples/compare/*/schema.graphql'], {
    ...declaredRules,
    // People read these side by side; only the differences are described.
    '@graphql-eslint/require-description': 'off',
    // Some of them contain objects that others store as documents, which is their point.
    '@graphql-eslint/strict-id-in-types': 'off',
  }),
  linted(['schema/library/operations/*.graphql', 'examples/shop/operations/*.graphql', 'examples/compare/*/operations.graphql'], {
    ...operations.rules,
    // No client caches these answers, and each operation selects only what it shows.
    '@graphql-eslint/require-selections': 'off',
    // Each file has one operation, and the file name is its title in GraphiQL and in the docs.
    '@graphql-eslint/no-anonymous-operations': 'off',
  }),
  linted(['examples/clients/*.graphql'], {
    ...operations.rules,
    // The cache key of clients, see examples/clients/README.md.
    '@graphql-eslint/require-selections': ['error', { fieldName: 'nodeId' }],
  }),
]

/** A declared schema with the vocabulary and mutations, so that it is complete. */
function withVocabulary({ model, sdl }) {
  return print(joined([sdl, mutationsSdl(model)]))
}

function linted(files, rules) {
  return { files, rules, languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { projects } } }, plugins: { '@graphql-eslint': graphql } }
}
