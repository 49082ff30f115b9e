// The schema and the first documents of the simulated world.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'graphql'
import { readDeclaration } from '../../src/relations/declaration.ts'

export const typeDefs = parse(readFileSync(join(import.meta.dirname, '../history/schema/library.graphql'), 'utf8'))

export const declaration = readDeclaration(typeDefs)
