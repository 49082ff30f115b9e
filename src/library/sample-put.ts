// How a sample document becomes a write. The declaration says where it goes, so that no file of the
// sample repeats containers or partition keys.

import { placed } from '../model/keys/partition.ts'
import type { DocumentType, Model } from '../model/model.ts'
import type { Body } from '../model/json/json.ts'
import type { Write } from '../store/store.ts'

export function put(model: Model, typeName: string, body: Body & { readonly id: string }): Write {
  const type = sampleType(model, typeName)
  const told = type.discriminator === undefined ? body : { ...body, type: type.discriminator }
  const { partition, body: filled } = placed(type, told)
  return { kind: 'put', container: type.container, key: { partition, id: body.id }, body: filled }
}

export function sampleType(model: Model, name: string): DocumentType {
  const type = model.documents.get(name)
  if (!type) throw new Error(`The sample library has documents of type ${name}, and this schema has none. Seed it into the shipped schema.`)
  return type
}
