// The public API: what it is, that every name in it is explained by an example that compiles, and that users can import every
// type that they would have to name.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiReport, readApi, withDeclarations, type Api } from '../../package/api-report.ts'
import { entries } from '../../package/manifest.ts'

let project: string
let api: Api
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'quire-examples-'))
  withDeclarations((folder) => cpSync(folder, join(project, 'declarations'), { recursive: true }))
  api = readApi(join(project, 'declarations'))
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

test('package/api.md shows the API as it is; "npm run api" writes it', () => {
  expect(apiReport(api)).toBe(readFileSync('package/api.md', 'utf8'))
})

test('every type that an exported name needs can be imported', () => {
  expect(api.missing).toEqual([])
})

test('every exported name has a comment with an example', () => {
  const lacking = [...api.exported].flatMap(([entry, names]) => names.filter(({ comment }) => !/@example\n/.test(comment)).map(({ name }) => `${entry} ${name}`))
  expect(lacking).toEqual([])
  expect([...api.exported.values()].flat().length).toBeGreaterThan(100)
})

test('every example compiles', () => {
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'))
  mkdirSync(join(project, 'examples'))
  cpSync('test/package/example-context.txt', join(project, 'examples/context.ts'))
  for (const [entry, names] of api.exported) for (const { name, comment } of names) {
    writeFileSync(join(project, `examples/${entry.replaceAll(/\W+/g, '-')}-${name}.ts`), moduleOf(entry, exampleIn(comment)))
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({
    compilerOptions: {
      strict: true, noEmit: true, skipLibCheck: true, target: 'es2024', lib: ['esnext'], module: 'nodenext', moduleResolution: 'nodenext', types: ['node'],
      paths: Object.fromEntries(Object.entries(entries).map(([entry, file]) => [`quire-graphql${entry.slice(1)}`, [`./declarations/${file}.d.ts`]])),
    },
    include: ['examples'],
  }))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
  expect(compile()).toBe('')
})

function compile(): string {
  try {
    return execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: project, encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

function exampleIn(comment: string): string {
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(comment.replaceAll(/^ *\* ?/gm, '')) ?? []
  return code
}

/** The example with imports of the names that it uses and does not import: from its own entry, the main one or that of the memory store. */
function moduleOf(entry: string, code: string): string {
  const own = new Set([...code.matchAll(/import (?:type )?\{([^}]+)\}/g)].flatMap(([, names]) => names!.split(',').map((name) => name.replace(/\btype\b/, '').trim())))
  const words = new Set(code.replaceAll(/'[^'\n]*'|\/\/.*/g, '').match(/\b[A-Za-z]\w*\b/g))
  const needed = new Map<string, string>()
  for (const from of [entry, '.', './memory']) {
    for (const { name } of api.exported.get(from)!) if (words.has(name) && !own.has(name) && !needed.has(name)) needed.set(name, from)
  }
  const imports = [...needed].filter(([name]) => !new RegExp(String.raw`\b(?:const|function) ${name}\b`).test(code))
  return `${imports.map(([name, from]) => `import { ${name} } from 'quire-graphql${from.slice(1)}'`).join('\n')}\n${code}\nexport {}\n`
}
