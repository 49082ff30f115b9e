// How a new project depends on the Quire that writes it: by version if it came from a registry, and by path if it was installed
// from a folder or a tarball, or is a checkout. So `npm install` finds it in each case.

import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** A checkout has to be built before anything can be installed from it. */
export const checkout = existsSync(join(root, 'package/build.ts')) ? root : undefined

/** What to write into the package.json of that folder. */
export function quireDependency(folder: string): string {
  const from = installedFrom()
  if (from !== undefined) return `file:${relative(resolve(folder), from).split(sep).join('/')}`
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return `^${version}`
}

/** The folder or tarball that it was installed from; undefined if that was a registry, or is not known. */
function installedFrom(): string | undefined {
  if (checkout !== undefined) return join(checkout, 'dist')
  const modules = dirname(root)
  if (basename(modules) !== 'node_modules') return root
  // npm notes here what it has installed.
  const lock = join(modules, '.package-lock.json')
  if (!existsSync(lock)) return undefined
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages?: Record<string, { resolved?: string }> }
  const resolved = packages?.[`node_modules/${basename(root)}`]?.resolved
  return resolved?.startsWith('file:') ? resolve(dirname(modules), resolved.slice('file:'.length)) : undefined
}
