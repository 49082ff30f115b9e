// The folder of each page, with the files that its blocks make, and the package `quire-graphql` as the repository's source. It is inside
// the repository, so that packages are found in its node_modules.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { entries } from '../../../package/manifest.ts'
import type { Fence } from './fences.ts'

/** The folder with one folder per page. */
export function createProjects(fences: readonly Fence[]): string {
  mkdirSync('.quire', { recursive: true })
  const root = join(process.cwd(), mkdtempSync('.quire/docs-'))
  linkPackage(root)
  for (const fence of fences) {
    const file = fileOf(fence)
    if (fence.notRun !== undefined || file === undefined) continue
    const path = join(projectOf(root, fence.page), file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, fence.text)
  }
  return root
}

export function removeProjects(root: string): void {
  rmSync(root, { recursive: true, force: true })
}

export function projectOf(root: string, page: string): string {
  return join(root, page.replace(/\.md$/, '').replaceAll('/', '-'))
}

/** Blocks of code without a name get one. */
export function fileOf({ file, language, line }: Fence): string | undefined {
  return file ?? (['ts', 'js'].includes(language) ? `line-${line}.${language}` : undefined)
}

/** The schema folder of a page: where its SDL is. */
export function schemaFolderOf(root: string, fences: readonly Fence[]): string | undefined {
  const sdl = fences.find(({ language, file, notRun }) => language === 'graphql' && notRun === undefined && file !== undefined && !file.includes('operations/'))
  return sdl && join(projectOf(root, sdl.page), dirname(sdl.file!))
}

/** The entries of the package as modules. Node runs no TypeScript below node_modules, but it does where a link leads out of it. */
function linkPackage(root: string): void {
  const folder = join(root, 'package')
  const exported = Object.entries(entries).map(([name, source]) => {
    const module = `${name.slice(2).replaceAll('/', '-') || 'index'}.ts`
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, module), `export * from '${relative(folder, source)}.ts'\n`)
    return [name, `./${module}`] as const
  })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'quire-graphql', type: 'module', exports: Object.fromEntries(exported) }))
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(folder, join(root, 'node_modules/quire-graphql'))
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module' }))
}

/** Configurations of the TypeScript compiler for such a folder, as strict as the repository's. */
export function compilerConfigs(root: string): string[] {
  return Object.entries({ ts: {}, js: { allowJs: true, checkJs: true } }).map(([language, more]) => {
    const file = join(root, `tsconfig.${language}.json`)
    const compilerOptions = { ...more, rootDir: relative(root, process.cwd()), noUnusedLocals: false, noUnusedParameters: false }
    writeFileSync(file, JSON.stringify({ extends: relative(root, 'tsconfig.json'), compilerOptions, include: [`*/**/*.${language}`], exclude: ['node_modules', 'package'] }))
    return file
  })
}
