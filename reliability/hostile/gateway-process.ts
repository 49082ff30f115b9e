// A gateway in its own process, started as users start it. Everything that it prints is kept, and it reports its memory and
// prototypes on request.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Inside } from './inside.ts'

const root = join(import.meta.dirname, '../..')

export interface GatewayProcessOptions {
  readonly env: Readonly<Record<string, string>>
  /** Arguments of node; default `quire start`. */
  readonly args?: readonly string[]
}

export class GatewayProcess {
  readonly port: number
  readonly pid: number
  readonly #child: ChildProcess
  readonly #written: string[]

  private constructor(child: ChildProcess, written: string[], port: number) {
    this.#child = child
    this.#written = written
    this.port = port
    this.pid = child.pid!
  }

  static async start({ env, args = [join(root, 'bin/quire.js'), 'start'] }: GatewayProcessOptions): Promise<GatewayProcess> {
    const node = ['--disable-warning=ExperimentalWarning', '--expose-gc', '--import', join(import.meta.dirname, 'inside.ts')]
    const child = spawn(process.execPath, [...node, ...args], { cwd: root, env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', PORT: '0', ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    const written: string[] = []
    const { promise: port, resolve, reject } = Promise.withResolvers<number>()
    const keep = (chunk: Buffer): void => {
      written.push(chunk.toString('latin1'))
      const address = /Quire is ready at http:\/\/[^/]+:(\d+)\//.exec(written.slice(0, 20).join(''))
      if (address) resolve(Number(address[1]))
    }
    child.stdout!.on('data', keep)
    child.stderr!.on('data', keep)
    child.once('exit', (code) => reject(new Error(`The gateway ended with ${code}: ${written.join('')}`)))
    return new GatewayProcess(child, written, await port)
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Everything printed to standard output and standard error. */
  get written(): string {
    return this.#written.join('')
  }

  async inside(): Promise<Inside> {
    const answered = once(this.#child, 'message')
    this.#child.send('inside')
    const [inside] = (await answered) as [Inside]
    return inside
  }

  async stop(): Promise<void> {
    if (this.ended) return
    const closed = once(this.#child, 'close')
    this.#child.kill('SIGTERM')
    await closed
  }
}
