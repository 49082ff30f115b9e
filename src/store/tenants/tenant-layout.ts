// Tenancy in the layout: the tenant becomes the first part of every partition key.

import type { DocumentType, Model } from '../../model/model.ts'
import { storesProperty } from '../../model/model.ts'
import { partitionPaths } from '../../model/partition-key.ts'
import type { ContainerLayout } from '../store.ts'
import { tenantPath } from './check-tenanted.ts'

/** The most levels that a hierarchical partition key may have on any store. */
const maxLevels = 3

/** The mistakes of a schema that tenants are to share. */
export function checkTenants(model: Model): string[] {
  return [...model.documents.values()].flatMap((type) => [...checkLevels(type), ...checkProperty(type)])
}

function checkLevels({ name, partitionKey }: DocumentType): string[] {
  const paths = partitionPaths(partitionKey)
  if (paths.length < maxLevels) return []
  return [`${name}: the partition key has ${paths.length} paths (${paths.map((path) => `/${path.join('/')}`).join(', ')}). Tenancy adds one, and the maximum is ${maxLevels}. Use at most ${maxLevels - 1}, or turn tenancy off.`]
}

function checkProperty(type: DocumentType): string[] {
  const [property] = tenantPath as readonly [string]
  if (!storesProperty(type, property) && !partitionPaths(type.partitionKey).some(([first]) => first === property)) return []
  return [`${type.name}: the property ${property} is reserved for the tenant, since tenancy is on. Use another property.`]
}

/** The layout of containers that tenants share. */
export function tenantedLayout(layout: readonly ContainerLayout[]): ContainerLayout[] {
  return layout.map((container) => ({ ...container, tenanted: true, partitionKey: [tenantPath, ...container.partitionKey] }))
}
