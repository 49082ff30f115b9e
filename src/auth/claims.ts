// Who a verified token says asks: which claims name the id, the roles and the tenant is a setting.

import type { JWTPayload } from 'jose'
import { notIdentified } from './identity.ts'
import { isTenantName } from '../store/tenants/tenant-name.ts'
import type { Viewer } from './viewer.ts'

export interface Claims {
  readonly id: string
  readonly roles: string
  /** Undefined where all documents are everyone's to look for. */
  readonly tenant: string | undefined
}

export const defaultClaims: Claims = { id: 'sub', roles: 'roles', tenant: undefined }

export function readClaims(payload: JWTPayload, claims: Claims): Viewer {
  return {
    id: textAt(payload, claims.id, 'who asks'),
    roles: rolesIn(claimAt(payload, claims.roles)),
    tenant: claims.tenant === undefined ? undefined : tenantIn(textAt(payload, claims.tenant, 'which tenant asks')),
  }
}

function textAt(payload: JWTPayload, claim: string, what: string): string {
  const value = claimAt(payload, claim)
  if (typeof value !== 'string' || value === '') throw notIdentified(`The token does not say ${what}.`)
  return value
}

function tenantIn(name: string): string {
  if (!isTenantName(name)) throw notIdentified('The token names a tenant whose name is none.')
  return name
}

/** A list, or names with spaces between them, as scopes are written. */
function rolesIn(value: unknown): Set<string> {
  if (value === undefined || value === null) return new Set()
  if (typeof value === 'string') return new Set(value.split(' ').filter((role) => role !== ''))
  if (Array.isArray(value) && value.every((role) => typeof role === 'string')) return new Set(value)
  throw notIdentified('The roles of the token are no list of names.')
}

/** By its name, which may have dots in it, or by the way to it: `realm_access.roles`. */
function claimAt(payload: JWTPayload, claim: string): unknown {
  if (Object.hasOwn(payload, claim)) return payload[claim]
  return claim.split('.').reduce<unknown>((value, name) => (typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined), payload)
}
