// The Cosmos DB store as a setting: `cosmos`, with the account and the database in settings of their own.

import { ConfigError } from '../../errors.ts'
import type { StoreKind } from '../store-kind.ts'
import type { CosmosSetting } from './cosmos-store.ts'

export const cosmosKind: StoreKind<CosmosSetting & { readonly kind: 'cosmos' }> = {
  syntax: 'cosmos',
  choice: { text: 'cosmos', label: 'Azure Cosmos DB', hint: 'in your own Azure account' },
  atomic: 'partition',
  durable: true,
  settings: {
    cosmosEndpoint: { variable: 'COSMOS_ENDPOINT', check: checkEndpoint },
    cosmosDatabase: { variable: 'COSMOS_DATABASE', check: checkDatabase },
    cosmosCreate: { variable: 'COSMOS_CREATE', check: checkCreate },
  },
  isShared: () => true,
  isNamedBy: (text) => text === 'cosmos',
  read(_text, { COSMOS_ENDPOINT: endpoint, COSMOS_KEY: key, COSMOS_DATABASE: database = 'quire', COSMOS_CREATE: create = 'yes' }) {
    if (!endpoint) throw new ConfigError('The store is cosmos, and COSMOS_ENDPOINT is not set. Give the address of the account, such as https://NAME.documents.azure.com.')
    checkEndpoint(endpoint, 'COSMOS_ENDPOINT')
    checkDatabase(database, 'COSMOS_DATABASE')
    checkCreate(create, 'COSMOS_CREATE')
    return { kind: 'cosmos', endpoint, database, create: create === 'yes', ...(key ? { key } : {}) }
  },
  existing: (setting) => ({ ...setting, create: false }),
  async openAsFound(setting, layout) {
    return (await import('./cosmos-store.ts')).openCosmosAsFound(setting, layout)
  },
  secrets: ({ key }) => (key === undefined ? [] : [key]),
  async look(setting, maxRequests) {
    return (await import('./existing/existing-cosmos.ts')).openExistingCosmos(setting, maxRequests)
  },
  async open(setting, layout) {
    return (await import('./cosmos-store.ts')).openCosmosStore(setting, layout)
  },
}

function checkEndpoint(text: string, name: string): void {
  if (!/^https?:\/\/[^/]+\/?$/.test(text)) throw new ConfigError(`${name} is "${text}". Give an address such as https://NAME.documents.azure.com.`)
}

function checkDatabase(text: string, name: string): void {
  if (!/^[^/\\?#]{1,255}$/.test(text)) throw new ConfigError(`${name} is "${text}". Use up to 255 characters, without / \\ ? #.`)
}

function checkCreate(text: string, name: string): void {
  if (text !== 'yes' && text !== 'no') throw new ConfigError(`${name} is "${text}". Write yes to create missing containers and indexes, or no.`)
}
