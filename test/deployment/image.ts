// Builds a Dockerfile without an engine: each stage becomes a folder. COPY copies files, except those of .dockerignore.
// Instead of downloading packages, `npm ci` links exactly those packages from this repository that the lock file
// installs. A file or package that the image lacks is therefore missing here, too.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, matchesGlob, relative, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { instructions, readDockerfile, type Stage } from './dockerfile.ts'

export interface Image {
  /** The folder that is `/` in the image. */
  readonly root: string
  /** The working directory of commands. */
  readonly workdir: string
  readonly stage: Stage
}

export function buildImage(context: string, into: string): Image {
  const images = new Map<string, Image>()
  let last: Image | undefined
  for (const [number, stage] of readDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8')).entries()) {
    const root = join(into, `stage-${number}`)
    const image = { root, workdir: join(root, instructions(stage, 'WORKDIR')[0] ?? '/'), stage }
    mkdirSync(image.workdir, { recursive: true })
    for (const { word, text } of stage.steps) {
      if (word === 'COPY') copy(context, image, images, text)
      if (word === 'RUN') run(context, image, text)
    }
    images.set(stage.name, image)
    last = image
  }
  return last!
}

/** Maps absolute paths of the image into its folder. */
export function inImage({ root }: Image, text: string): string {
  return text.replaceAll(/(?<=^|:)\/(?=\w)/g, `${root}/`)
}

function copy(context: string, image: Image, images: ReadonlyMap<string, Image>, text: string): void {
  const words = text.split(/\s+/)
  const from = words[0]!.startsWith('--from=') ? images.get(words.shift()!.slice('--from='.length)) : undefined
  const target = words.pop()!
  const ignored = ignoring(context)
  for (const source of words) {
    const path = from ? inImage(from, source) : resolve(context, source)
    const whole = statSync(path).isDirectory()
    const to = resolve(image.workdir, target, whole || !target.endsWith('/') ? '' : basename(source))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(path, to, { recursive: true, filter: (file) => from !== undefined || !ignored(relative(context, file)) })
  }
}

/** Whether .dockerignore lists a file, or a folder above it. */
function ignoring(context: string): (path: string) => boolean {
  const patterns = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n').map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  const matches = (path: string): boolean => patterns.some((pattern) => matchesGlob(path, pattern)) || (path.includes('/') && matches(dirname(path)))
  return matches
}

function run(context: string, image: Image, text: string): void {
  const [command, ...words] = text.split(/\s+/)
  if (command === 'npm' && words[0] === 'ci') install(context, image, words)
  else if (command === 'npm' && words[0] === 'run') execFileSync('npm', words, { cwd: image.workdir, stdio: 'pipe', env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` } })
  // The owner is ignored: its user exists only in the image.
  else if (command === 'install' && words[0] === '-d') mkdirSync(inImage(image, words.at(-1)!), { recursive: true })
  else throw new Error(`This test cannot run "${text}" of the Dockerfile. Add it here.`)
}

interface Locked {
  readonly dev?: true
  readonly optional?: true
  readonly devOptional?: true
}

function install(context: string, { workdir }: Image, words: readonly string[]): void {
  const omits = (kind: string) => words.includes(`--omit=${kind}`)
  const { packages } = JSON.parse(readFileSync(join(workdir, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked & Manifest> }
  checkLock(JSON.parse(readFileSync(join(workdir, 'package.json'), 'utf8')) as Manifest, packages['']!)
  for (const [path, { dev, optional, devOptional }] of Object.entries(packages)) {
    const omitted = (dev && omits('dev')) || (optional && omits('optional')) || (devOptional && omits('dev') && omits('optional'))
    const installed = join(context, path)
    // Nested packages come with their parents; packages for other platforms are not installed.
    if (path === '' || omitted || path.includes('/node_modules/') || !existsSync(installed)) continue
    mkdirSync(dirname(join(workdir, path)), { recursive: true })
    symlinkSync(resolve(installed), join(workdir, path))
  }
}

type Manifest = { readonly [kind in 'dependencies' | 'devDependencies' | 'optionalDependencies']?: Record<string, string> }

/** Like `npm ci`, rejects a lock file that does not fit package.json. */
function checkLock(manifest: Manifest, locked: Manifest): void {
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
    if (!isDeepStrictEqual(manifest[kind], locked[kind])) throw new Error(`package-lock.json has other ${kind} than package.json.`)
  }
}
