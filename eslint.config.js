// What GraphQL is linted for: the schema that clients see, the SDL it is made from, and the operations
// of the examples. graphql-eslint's recommended rules and those for Relay hold, save where it is said why not.
// TypeScript is linted by oxlint, and Relay's operations by its compiler, which has its own rules for names.

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
const compared = globSync('examples/compare/*/schema.graphql').map((file) => ({ folder: dirname(file), declared: readSdl(readFileSync(file, 'utf8'), file) }))

/** Which schema each file is held against. The first project that includes a file is its own. */
const projects = {
  served: { schema: 'schema.graphql', include: 'schema.graphql' },
  declared: { schema: withVocabulary(library), include: 'schema/{,library/}*.graphql' },
  operations: { schema: 'schema.graphql', documents: 'schema/library/operations/*.graphql' },
  clients: { schema: 'schema.graphql', documents: 'examples/clients/*.graphql' },
  ...Object.fromEntries(compared.flatMap(({ folder, declared }) => [
    [`${folder} declared`, { schema: withVocabulary(readModel(declared)), include: `${folder}/schema.graphql` }],
    [`${folder} asked`, { schema: printSchema(servedSchema(readDeclaration(declared))), documents: `${folder}/operations.graphql` }],
  ])),
}

const { 'flat/schema-recommended': recommended, 'flat/schema-relay': relay, 'flat/operations-recommended': operations } = graphql.configs

const schemaRules = {
  ...recommended.rules,
  // The rule compares letters: `reviewer` of a Review and `tradedAt` of a Trade are words of their own, and
  // `nodeId` says which of two ids it is. test/library/schema.test.ts compares words.
  '@graphql-eslint/no-typename-prefix': 'off',
  // What a document contains has no identity of its own, and neither has what goes around pages and mutations.
  '@graphql-eslint/strict-id-in-types': ['error', { exceptions: { types: ['PageInfo', ...library.model.contained.keys()], suffixes: ['Connection', 'Edge', 'Payload'] } }],
}

const servedRules = {
  ...schemaRules,
  ...relay.rules,
  // Short lists are kept in their document, `nodes` is a page without cursors, and the entries of a bucketed list
  // are no documents of their own. test/library/schema.test.ts holds that every other list has a bound, and that
  // everything else on an edge is a Node.
  '@graphql-eslint/relay-edge-types': ['error', { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false }],
}

// Pages, edges and their arguments are left to Quire, so that Relay's rules are for the served schema.
const declaredRules = {
  ...schemaRules,
  // What fits on a line is described on a line, the rest in a block. test/library/schema.test.ts holds that.
  '@graphql-eslint/description-style': 'off',
  // The vocabulary has words that a schema need not use. The served schema is held to this rule.
  '@graphql-eslint/no-unreachable-types': 'off',
}

export default [
  linted(['schema.graphql'], servedRules),
  linted(['schema/*.graphql', 'schema/library/*.graphql'], declaredRules),
  linted(['examples/compare/*/schema.graphql'], {
    ...declaredRules,
    // These are read side by side, for what is different in them; only that is described.
    '@graphql-eslint/require-description': 'off',
    // Some of them contain what others keep apart, which is what they are about.
    '@graphql-eslint/strict-id-in-types': 'off',
  }),
  linted(['schema/library/operations/*.graphql', 'examples/compare/*/operations.graphql'], {
    ...operations.rules,
    // Nothing keeps these answers, and each asks for what it shows and no more.
    '@graphql-eslint/require-selections': 'off',
    // Each is alone in its file, whose name is its title in GraphiQL and in the README.
    '@graphql-eslint/no-anonymous-operations': 'off',
  }),
  linted(['examples/clients/*.graphql'], {
    ...operations.rules,
    // The id that clients keep documents by, see examples/clients/README.md.
    '@graphql-eslint/require-selections': ['error', { fieldName: 'nodeId' }],
  }),
]

/** A declaration with the words that it is written in, and complete enough to be a schema. */
function withVocabulary({ model, sdl }) {
  return print(joined([sdl, mutationsSdl(model)]))
}

function linted(files, rules) {
  return { files, rules, languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { projects } } }, plugins: { '@graphql-eslint': graphql } }
}
