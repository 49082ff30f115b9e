// The file that makes a folder an export: which files it has, how many documents are in each, and under which declaration they were
// stored. It has no date, so that two exports of the same data are the same bytes.

import type { DeclaredStorage } from '../declared/declared-storage.ts'

export const manifestName = 'export.json'

/** Grows when the form of an export changes. */
export const exportFormat = 1

export interface ExportedFile {
  readonly file: string
  /** A document type, or a bucketed list as `Type.field`. */
  readonly of: string
  readonly documents: number
}

export interface ExportManifest {
  readonly format: typeof exportFormat
  readonly files: readonly ExportedFile[]
  readonly declaration: DeclaredStorage
}

export function manifestText(files: readonly ExportedFile[], declaration: DeclaredStorage): string {
  const manifest: ExportManifest = { format: exportFormat, files, declaration }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
