// The index behind an `@indexed` property: what makes it something to filter by and to order by.

import { selectionOf } from '../read/selection.ts'
import { storedPath, type Field, type Model } from '../model/model.ts'
import type { ContainerIndex } from './kind.ts'

export function valueIndex(field: Field, model: Model): ContainerIndex[] {
  const type = model.documents.get(field.owner)
  return type && field.indexed ? [{ ...selectionOf(type), orderBy: storedPath(field)! }] : []
}
