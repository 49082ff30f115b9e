// A recorder that keeps its record in a file: added to what earlier runs have left there, rewritten every
// so often and when the gateway ends. One gateway has one file; `quire advise` takes several.

import { Recorder } from './recorder.ts'
import { WorkloadError, type Workload } from './workload.ts'
import { addedUp, readWorkloadIfThere, writeWorkload } from './workload-file.ts'

export interface RecordingOptions {
  /** How much a crash can lose. */
  readonly everyMs?: number
}

/** Fails at once where the file cannot be written, or is something else. */
export async function recordToFile(file: string, { everyMs = 60_000 }: RecordingOptions = {}): Promise<FileRecorder> {
  const recorder = new FileRecorder(file, await readWorkloadIfThere(file), everyMs)
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
    // It keeps no process alive.
    this.#timer = setInterval(() => void this.save().catch((error: unknown) => this.#printError(error)), everyMs).unref()
  }

  /** One after the other, so that an older record never replaces a newer one. */
  save(): Promise<void> {
    this.#saving = this.#saving.catch(() => undefined).then(() => writeWorkload(this.#file, addedUp([...this.#earlier, this.workload()])))
    return this.#saving
  }

  override async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.save().catch((error: unknown) => this.#printError(error))
  }

  /** Serving goes on without a record; that it does is said once. */
  #printError(error: unknown): void {
    if (!this.#failed) console.error(error instanceof WorkloadError ? error.message : error)
    this.#failed = true
  }
}
