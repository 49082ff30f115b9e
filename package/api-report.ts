// `npm run api`: writes package/api.md, everything that people can import, as a review sees it. A change of the public API is a
// change of that file, and a test compares the two.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Declarations, type Declared, type Use } from './api.ts'
import { entries } from './manifest.ts'

const root = join(import.meta.dirname, '..')

export interface Api {
  /** By entry, such as `./sqlite`. */
  readonly exported: ReadonlyMap<string, readonly Declared[]>
  /** What an exported name consists of and no one needs to import: what it extends, `typeof` values, and what its file keeps to itself. */
  readonly parts: (declared: Declared) => readonly Declared[]
  /** Types that a user would have to name and cannot import, each with what names it. */
  readonly missing: readonly string[]
}

export function readApi(declarationFolder: string): Api {
  const declarations = new Declarations()
  const exported = new Map(Object.entries(entries).map(([entry, file]) => [entry, declarations.exportsOf(join(declarationFolder, `${file}.d.ts`))]))
  const importable = new Set([...exported.values()].flat().map(idOf))
  const partsOf = (declared: Declared, seen: Set<string>): Declared[] => declared.uses.flatMap((use) => {
    if (importable.has(idOf(use)) || seen.has(idOf(use)) || !isPart(use)) return []
    seen.add(idOf(use))
    const part = declarations.resolve(use)
    return [part, ...(use.as === 'value' ? [] : partsOf(part, seen))]
  })
  const isPart = (use: Use): boolean => use.as !== 'type' || !declarations.resolve(use).isExported
  const parts = (declared: Declared): Declared[] => partsOf(declared, new Set())
  const missing = [...exported.values()].flat().flatMap((declared) => [declared, ...parts(declared).filter(({ text }) => !text.startsWith('const '))].flatMap((each) =>
    each.uses.filter((use) => !importable.has(idOf(use)) && !isPart(use)).map((use) => `${use.name} (${relative(declarationFolder, use.file)}), which ${each.name} names`)))
  return { exported, parts, missing: [...new Set(missing)] }
}

export function apiReport({ exported, parts }: Api): string {
  const shown = new Set<string>()
  const section = ([entry, names]: [string, readonly Declared[]]): string => {
    const texts = names.flatMap((declared) => [declared, ...parts(declared)]).filter((declared) => {
      const isNew = !shown.has(idOf(declared))
      shown.add(idOf(declared))
      return isNew
    }).map(({ text, name }) => (names.some((each) => each.name === name) ? `export ${text}` : `// part of the above\n${text}`))
    const again = names.map(({ name }) => name).filter((name) => !texts.some((text) => new RegExp(String.raw`^export (?:abstract )?(?:async )?(?:function|class|interface|type|const) ${name}\b`).test(text)))
    return [`## quire-graphql${entry.slice(1)}`, `\`\`\`ts\n${texts.join('\n\n')}\n\`\`\``, ...(again.length > 0 ? [`Also: ${again.join(', ')}, as above.`] : [])].join('\n\n')
  }
  return `# What people can import\n\nWritten by \`npm run api\` from the built declarations. Everything else is internal.\n\n${[...exported].map(section).join('\n\n')}\n`
}

/** Emits the declarations of the package into a folder of their own for as long as `work` takes. */
export function withDeclarations<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'quire-api-'))
  try {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--outDir', folder], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function idOf({ name, file }: Pick<Declared, 'name' | 'file'>): string {
  return `${file} ${name}`
}

if (import.meta.main) {
  withDeclarations((folder) => writeFileSync(join(root, 'package/api.md'), apiReport(readApi(folder))))
}
