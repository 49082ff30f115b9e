// Writes the schema that clients see, for code generators and editors: `node src/print-schema.ts FILE`.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildASTSchema, printSchema } from 'graphql'
import { readConfig } from './config.ts'
import { readDeclaration } from './declaration.ts'
import { openDomain } from './domain.ts'

const { typeDefs, derive } = await openDomain(readConfig(process.env))
const { sdl } = readDeclaration(typeDefs, derive)
const text = `${printSchema(buildASTSchema(sdl))}\n`
const [, , file] = process.argv
if (file === undefined) process.stdout.write(text)
else {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
