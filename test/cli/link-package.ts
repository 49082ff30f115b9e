// Installs this checkout into a folder, uncompiled, under the name of the package: what a project imports is then what runs it.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { entries } from '../../package/manifest.ts'

export function linkPackage(folder: string): void {
  const installed = join(folder, 'node_modules/quire-graphql')
  mkdirSync(installed, { recursive: true })
  symlinkSync(resolve('src'), join(installed, 'src'))
  symlinkSync(resolve('node_modules/graphql'), join(folder, 'node_modules/graphql'))
  const exports = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, `./${file}.ts`]))
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ name: 'quire-graphql', type: 'module', exports }))
}
