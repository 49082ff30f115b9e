// The index of an `@indexed` property, which filters and orders need.

import { selectionOf } from '../read/selection.ts'
import { storedPath, type Field, type Model } from '../model/model.ts'
import type { ContainerIndex } from './kind.ts'

export function valueIndex(field: Field, model: Model): ContainerIndex[] {
  const type = model.documents.get(field.owner)
  if (!type || !field.indexed) return []
  return [field.shape === 'list' ? { ...selectionOf(type), equals: storedPath(field)! } : { ...selectionOf(type), orderBy: storedPath(field)! }]
}
