// What tenants ask of a schema and of the containers: their name goes in front of every partition key.

import type { DocumentType, Model } from '../../model/model.ts'
import { storesProperty } from '../../model/model.ts'
import { partitionPaths } from '../../model/partition-key.ts'
import type { ContainerLayout } from '../store.ts'
import { tenantPath } from './check-tenanted.ts'

/** So many levels a hierarchical partition key has at most, anywhere. */
const mostLevels = 3

export function checkTenants(model: Model): string[] {
  return [...model.documents.values()].flatMap((type) => [...checkLevels(type), ...checkProperty(type)])
}

function checkLevels({ name, partitionKey }: DocumentType): string[] {
  const paths = partitionPaths(partitionKey)
  if (paths.length < mostLevels) return []
  return [`${name}: the partition key has ${paths.length} paths (${paths.map((path) => `/${path.join('/')}`).join(', ')}), and tenants need one in front of them, where ${mostLevels} is the most. Use ${mostLevels - 1}, or switch tenancy off.`]
}

function checkProperty(type: DocumentType): string[] {
  const [property] = tenantPath as readonly [string]
  if (!storesProperty(type, property) && !partitionPaths(type.partitionKey).some(([first]) => first === property)) return []
  return [`${type.name}: ${property} is where documents say whose they are, since tenancy is on. Use another property.`]
}

/** Containers that tenants share. */
export function tenantedLayout(layout: readonly ContainerLayout[]): ContainerLayout[] {
  return layout.map((container) => ({ ...container, tenanted: true, partitionKey: [tenantPath, ...container.partitionKey] }))
}
