// `quire export`: writes an export into a folder that appears when it is complete. evolve/export/ makes its text.

import { closeSync, existsSync, fsyncSync, mkdirSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import { compareDeclaration } from '../evolve/declared/stored-declaration.ts'
import { lineOf, MigrationNeededError } from '../evolve/declared/migration-errors.ts'
import { exportDocuments, type Exported } from '../evolve/export/export-documents.ts'
import type { Model } from '../model/model.ts'
import { didYouMean } from '../model/sdl/suggest-name.ts'
import type { CliCommand } from './command/command.ts'
import { runLongCommand } from './command/long-command.ts'
import { refuseAnyMigration } from '../store/migration/migration-phase.ts'
import { tenantScopeOf, withStoredMoment } from './command/open-stored.ts'

export const command: CliCommand = {
  settings: ['schema', 'store'],
  requiredOptions: { '--out <folder>': 'the folder to make; it must not exist, or be empty' },
  options: {
    '--type <names...>': 'only these document types, with their bucketed lists',
    '--tenant <name>': 'the tenant whose documents are exported, where tenants share the store',
    '--json': 'print one JSON object per file, and one with the totals at the end',
  },
  help: `
Writes one file of JSON lines for each type and each bucketed list, in the order of ids, and export.json. "quire import FOLDER"
reads it back, into any store. The same data gives the same bytes. You can run it next to a gateway: on SQLite the export shows
one moment; on Cosmos DB, which has none, each document is as it was when it was read.

Exits with 0 when everything was exported, with 2 when it cannot run, with 130 when you stop it. The folder is there only when
the export is complete.

Example:
  $ quire export --out backup                          exports all documents
  $ quire export --out posts --type Post               exports the documents of one type
  $ quire import backup --store sqlite:copy.db         makes a store of them`,
  run: ({ out, type, tenant, json = false }: Partial<ExportCommand>) => runExport({ out: out!, type, tenant, json }),
}

export interface ExportCommand {
  readonly out: string
  readonly type: readonly string[] | undefined
  readonly tenant: string | undefined
  readonly json: boolean
}

/** Returns the exit code. */
export async function runExport({ out, type, tenant, json }: ExportCommand): Promise<number> {
  const startMs = performance.now()
  let exported: Exported | undefined
  return runLongCommand({ json, counts: 'documents' }, (run) => withStoredMoment(process.env, async ({ declaration, store, openWith }) => {
    await refuseAnyMigration(store)
    const types = type && typesNamed(type.flatMap((each) => each.split(',')), declaration.model)
    const scope = tenantScopeOf(declaration, store, tenant)
    const { needed } = await compareDeclaration(declaration, store, openWith)
    // An export under a schema that the documents do not fit would leave some of them out.
    if (needed.length > 0) throw new MigrationNeededError(needed.map(lineOf))
    const folder = new PartialFolder(out)
    try {
      const made = await exportDocuments(declaration, scope, {
        append: (file, text) => folder.append(file, text), signal: run.signal, onProgress: (done, total) => run.progress(done, total), ...(types ? { types } : {}),
      })
      folder.complete()
      exported = made
    } finally {
      folder.discard()
    }
    for (const each of exported.files) run.item(each, `${each.file}: ${each.documents} documents`)
  }), (ended) => {
    const documents = exported?.files.reduce((sum, each) => sum + each.documents, 0) ?? 0
    const moment = exported?.isOneMoment ? 'All are as they were at one moment.' : 'Documents that were written meanwhile are as they were when they were read: this store has no single moment to read from.'
    return {
      totals: { documents, files: exported?.files.length ?? 0, isOneMoment: exported?.isOneMoment ?? false, ...(exported ? { folder: out } : {}) },
      summary: exported ? `Exported ${documents} documents to ${out} (${((performance.now() - startMs) / 1000).toFixed(1)} s). ${moment}` : 'Stopped. Nothing was exported.',
      exitCode: ended && exported ? 0 : 130,
    }
  })
}

function typesNamed(names: readonly string[], { documents }: Model): ReadonlySet<string> {
  for (const name of names) {
    if (!documents.has(name)) throw new ConfigError(`--type names ${name}, which is no document type of the schema.${didYouMean(name, documents.keys()) || ` Name one of ${[...documents.keys()].join(', ')}.`}`)
  }
  return new Set(names)
}

/** A folder that is filled beside its place and moved there when it is complete, so that there is never half an export. */
class PartialFolder {
  readonly #out: string
  readonly #partial: string
  #file: { readonly name: string; readonly descriptor: number } | undefined

  constructor(out: string) {
    this.#out = resolve(out)
    this.#checkFree()
    mkdirSync(dirname(this.#out), { recursive: true })
    this.#partial = mkdtempSync(join(dirname(this.#out), `.${basename(this.#out)}-partial-`))
  }

  append(name: string, text: string): void {
    if (this.#file?.name !== name) {
      this.#closeFile()
      this.#file = { name, descriptor: openSync(join(this.#partial, name), 'ax') }
    }
    writeFileSync(this.#file.descriptor, text)
  }

  complete(): void {
    this.#closeFile()
    this.#checkFree()
    // Over an empty folder, but over no other.
    renameSync(this.#partial, this.#out)
  }

  /** Removes what is not complete. */
  discard(): void {
    this.#closeFile()
    rmSync(this.#partial, { recursive: true, force: true })
  }

  #checkFree(): void {
    if (existsSync(this.#out) && readdirSync(this.#out).length > 0) throw new ConfigError(`${this.#out} is not empty, and an export overwrites no file. Name another folder, or remove this one.`)
  }

  #closeFile(): void {
    if (!this.#file) return
    fsyncSync(this.#file.descriptor)
    closeSync(this.#file.descriptor)
    this.#file = undefined
  }
}
