// The sample library: every document that a new store is filled with, the same on every machine and every
// day. What is in it is in the files beside this one; writing it to a store is not done here.

import type { Model } from '../model/model.ts'
import type { Write } from '../store/store.ts'
import { bookDocuments } from './sample-books.ts'
import { brokerageDocuments } from './sample-brokerage.ts'

export function sampleDocuments(model: Model): Write[] {
  return [...bookDocuments(model), ...brokerageDocuments(model)]
}
