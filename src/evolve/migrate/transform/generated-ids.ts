// The ids of documents that a migration creates. They depend only on what a document is made of, so creating it again gives the same id.

import { createHash } from 'node:crypto'

const maxLength = 255

/** Of an object in a field of a document, by its place in the list. */
export function generatedId(owner: string, field: string, index: number): string {
  return short(`${owner}~${field}~${index}`)
}

/** Whether an id is one that `generatedId` gives. */
export function isGeneratedId(id: string, owner: string, field: string): boolean {
  return id.startsWith(`${owner}~${field}~`)
}

/** Of the link between two documents, so that no two links have the same. */
export function joiningId(near: string, far: string): string {
  return short(`${escaped(near)}~-${escaped(far)}`)
}

function escaped(id: string): string {
  return id.replaceAll('~', '~~')
}

function short(id: string): string {
  return id.length <= maxLength ? id : createHash('sha256').update(id).digest('base64url')
}
