// `npm run build`: writes `dist/`, the folder that is published. It is laid out like the repository, so that compiled code
// finds its files by the same relative paths, and has its own package.json (manifest.ts) and README.

import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { entries, manifest } from './manifest.ts'
import { shippedPage } from './shipped-pages.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/** What the package needs besides compiled code. */
const files = [
  'LICENSE',
  'CHANGELOG.md',
  'bin/quire.js',
  // Messages and help texts name these pages.
  'docs/*.md',
  'schema/**/*.graphql',
  'examples/init/**/*.template',
  'examples/compare/**/*.{graphql,json,md}',
  'web/theme.css',
  'web/landing/*',
  'web/docs/docs.{css,js}',
  'web/dist/docs.json.br',
  'web/dist/index.html',
  // Gzipped only: a gateway unpacks them for the few clients that need it.
  'web/dist/assets/*.gz',
]

run(process.execPath, ['web/build.js'], { NODE_ENV: 'development' })
rmSync(dist, { recursive: true, force: true })
run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'])
removeInternalDeclarations()
placeSources()
for (const file of globSync(files, { cwd: root })) {
  mkdirSync(dirname(join(dist, file)), { recursive: true })
  cpSync(join(root, file), join(dist, file))
}
copyFileSync(join(root, 'package/README.md'), join(dist, 'README.md'))
for (const page of globSync('**/*.md', { cwd: dist })) rewrite(page, (text) => shippedPage(page, text, (path) => existsSync(join(dist, path))))
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest(root), undefined, 2)}\n`)
console.log(`${basename(dist)}/ is built. Try it with "npm pack ./${basename(dist)}".`)

/** Keeps the declarations that an entry refers to, directly or through others. No one can import the rest. */
function removeInternalDeclarations(): void {
  const kept = new Set<string>()
  const keep = (file: string): void => {
    if (kept.has(file) || !existsSync(file)) return
    kept.add(file)
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)) keep(join(dirname(file), specifier!).replace(/\.[jt]s$/, '.d.ts'))
  }
  for (const file of Object.values(entries)) keep(join(dist, `${file}.d.ts`))
  for (const file of globSync('**/*.d.ts', { cwd: dist })) if (!kept.has(join(dist, file))) rmSync(join(dist, file))
}

/** Source maps contain the sources. Debuggers and stack traces show each beside its code, where the installed package has it. */
function placeSources(): void {
  for (const map of globSync('**/*.js.map', { cwd: dist })) {
    rewrite(map, (text) => JSON.stringify({ ...(JSON.parse(text) as object), sources: [basename(map).replace(/\.js\.map$/, '.ts')] }))
  }
}

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(join(dist, file), change(readFileSync(join(dist, file), 'utf8')))
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}): void {
  execFileSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
}
