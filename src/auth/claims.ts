// Reads the viewer from the claims of a verified token. Settings name the claims with the id, the roles and the tenant.

import type { JWTPayload } from 'jose'
import { invalidToken } from './identity.ts'
import { isTenantName } from '../store/tenants/tenant-name.ts'
import type { Viewer } from './viewer.ts'

/**
 * The names of the claims that hold id, roles and tenant, or paths such as `realm_access.roles`.
 *
 * @example
 * ```ts
 * const claims: Partial<Claims> = { roles: 'realm_access.roles', tenant: 'org' }
 * ```
 */
export interface Claims {
  readonly id: string
  readonly roles: string
  /** Undefined without tenants. */
  readonly tenant: string | undefined
}

export const defaultClaims: Claims = { id: 'sub', roles: 'roles', tenant: undefined }

export function readClaims(payload: JWTPayload, claims: Claims): Viewer {
  return {
    id: textAt(payload, claims.id, 'viewer id'),
    roles: rolesIn(claimAt(payload, claims.roles)),
    tenant: claims.tenant === undefined ? undefined : tenantIn(textAt(payload, claims.tenant, 'tenant')),
  }
}

function textAt(payload: JWTPayload, claim: string, what: string): string {
  const value = claimAt(payload, claim)
  if (typeof value !== 'string' || value === '') throw invalidToken(`it has no ${what}.`)
  return value
}

function tenantIn(name: string): string {
  if (!isTenantName(name)) throw invalidToken('its tenant is not a valid tenant name.')
  return name
}

/** A list of names, or names separated by spaces, as OAuth scopes are. */
function rolesIn(value: unknown): Set<string> {
  if (value === undefined || value === null) return new Set()
  if (typeof value === 'string') return new Set(value.split(' ').filter((role) => role !== ''))
  if (Array.isArray(value) && value.every((role) => typeof role === 'string')) return new Set(value)
  throw invalidToken('its roles are not a list of names.')
}

/** A claim by its name, which may contain dots, or else by its path: `realm_access.roles`. */
function claimAt(payload: JWTPayload, claim: string): unknown {
  if (Object.hasOwn(payload, claim)) return payload[claim]
  return claim.split('.').reduce<unknown>((value, name) => (typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined), payload)
}
