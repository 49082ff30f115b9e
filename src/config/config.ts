// The settings of a process, read once from its environment and checked before anything is opened. Options and the
// config file have become part of the environment by then (config-file.ts).

import { basename } from 'node:path'
import { defaultClaims } from '../auth/claims.ts'
import type { JwtOptions } from '../auth/jwt-identity.ts'
import { ConfigError } from '../errors.ts'
import { loadLimitsOf } from '../http/limits/load-limits.ts'
import type { Budget } from '../plan/cost/budget.ts'
import { kindNamed } from '../store/open-store.ts'
import { combinedSettings, identitySettings, isDevelopment, loadSetting, plainSettings, readSetting, readSettings, type Values } from './settings.ts'

export interface Config extends Readonly<ReturnType<typeof readConfig>> {}

export function readConfig(env: NodeJS.ProcessEnv) {
  const plain = readSettings(plainSettings, env)
  const combined = readSettings(combinedSettings, env)
  const { schema: schemaFolder, cacheMb, queryThreads } = combined
  // Each schema has its own file by default, because two schemas may use one name for different things.
  const store = combined.store ?? `sqlite:.quire/${basename(schemaFolder)}.db`
  return {
    ...plain,
    development: isDevelopment(env),
    schemaFolder,
    store: kindNamed(store, combinedSettings.store.variable).read(store, env, { cacheBytes: inBytes(cacheMb), queryThreads }),
    budget: budgetOf(combined),
    identity: identityOf(readSettings(identitySettings, env), plain.tenants),
    load: loadLimitsOf((limit) => readSetting(loadSetting(limit), env)),
  }
}

function inBytes(megabytes: number | undefined): number | undefined {
  return megabytes === undefined ? undefined : megabytes * 1024 * 1024
}

function budgetOf({ budgetCharge: requestCharge, budgetRoundTrips: roundTrips }: Values<typeof combinedSettings>): Partial<Budget> | undefined {
  if (requestCharge === undefined && roundTrips === undefined) return undefined
  return { ...(requestCharge === undefined ? {} : { requestCharge }), ...(roundTrips === undefined ? {} : { roundTrips }) }
}

/** Keys without an issuer and an audience would accept tokens that were made for something else. */
function identityOf(values: Values<typeof identitySettings>, tenant: string | undefined): JwtOptions | undefined {
  const { jwks, issuer, audience, idClaim, rolesClaim } = values
  const { jwks: { variable: keys }, ...others } = identitySettings
  if (jwks === undefined) {
    const lone = Object.entries(others).find(([name]) => values[name as keyof typeof others] !== undefined)?.[1].variable
    if (lone !== undefined) throw new ConfigError(`${lone} is set and ${keys} is not. Set ${keys} to the keys that sign tokens, or leave out both.`)
    return undefined
  }
  if (issuer === undefined) throw new ConfigError(`${keys} is set and ${others.issuer.variable} is not. Set it to the iss claim of the tokens.`)
  if (audience === undefined) throw new ConfigError(`${keys} is set and ${others.audience.variable} is not. Set it to the aud claim of the tokens.`)
  return { jwks, issuer, audience, claims: { id: idClaim ?? defaultClaims.id, roles: rolesClaim ?? defaultClaims.roles, tenant } }
}
