// A recorder that keeps its record in a file. It adds to what earlier runs recorded there, and rewrites the file regularly and
// at shutdown. Each gateway needs a file of its own; `quire advise` reads several.

import { Recorder } from './recorder.ts'
import { WorkloadError, type Workload } from './workload.ts'
import { sumWorkloads, readWorkloadIfExists, writeWorkload } from './workload-file.ts'

/**
 * How a workload is recorded.
 *
 * @example
 * ```ts
 * const options: RecordingOptions = { everyMs: 10_000 }
 * ```
 */
export interface RecordingOptions {
  /** How often the file is rewritten: a crash loses at most this much. */
  readonly everyMs?: number
}

/**
 * Records the operations and writes of a gateway in a file, for `quire advise`. It adds to what earlier runs recorded there. Each
gateway needs a file of its own. Rejects if the file cannot be written or is not a workload.
 *
 * @example
 * ```ts
 * const gateway = await createGateway({ typeDefs, store: openMemoryStore, record: await recordToFile('workload.json') })
 * ```
 */
export async function recordToFile(file: string, { everyMs = 60_000 }: RecordingOptions = {}): Promise<Recorder> {
  const recorder = new FileRecorder(file, await readWorkloadIfExists(file), everyMs)
  await recorder.save()
  return recorder
}

export class FileRecorder extends Recorder {
  readonly #file: string
  readonly #earlier: readonly Workload[]
  readonly #timer: NodeJS.Timeout
  #saving: Promise<void> = Promise.resolve()
  #failed = false

  constructor(file: string, earlier: Workload | undefined, everyMs: number) {
    super()
    this.#file = file
    this.#earlier = earlier ? [earlier] : []
    // Unreferenced, so that it does not keep the process alive.
    this.#timer = setInterval(() => void this.save().catch((error: unknown) => this.#printError(error)), everyMs).unref()
  }

  /** Saves run one after the other, so that an older record never replaces a newer one. */
  save(): Promise<void> {
    this.#saving = this.#saving.catch(() => undefined).then(() => writeWorkload(this.#file, sumWorkloads([...this.#earlier, this.workload()])))
    return this.#saving
  }

  override async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.save().catch((error: unknown) => this.#printError(error))
  }

  /** The gateway keeps serving without the record, so the error is printed once and not thrown. */
  #printError(error: unknown): void {
    if (!this.#failed) console.error(error instanceof WorkloadError ? error.message : error)
    this.#failed = true
  }
}
