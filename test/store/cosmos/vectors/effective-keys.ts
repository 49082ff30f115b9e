// Keys and their hashes, version 2: facts of the hash tests of azure-cosmosdb-java and azure-sdk-for-rust, and of hashing/v2.spec in azure-sdk-for-js.

import type { KeyValue } from '../../../../src/store/cosmos/read-many/effective-key.ts'

export const effectiveKeys: readonly (readonly [name: string, value: KeyValue, hash: string])[] = [
  ['an empty text', '', '32E9366E637A71B4E710384B2F4970A0'],
  ['a text', 'partitionKey', '013AEFCF77FA271571CF665A58C933F1'],
  ['another text', 'redmond', '22E342F38A486A088463DFF7838A5963'],
  ['a long text', 'a'.repeat(1024), '332BDF5512AE49615F32C7D98C2DB86C'],
  ['null', null, '378867E4430E67857ACE5C908374FE16'],
  ['no value', undefined, '11622DAA78F835834610ABE56EFF5CB5'],
  ['true', true, '0E711127C5B5A8E4726AC6DD306A3E59'],
  ['false', false, '2FE1BE91E90A3439635E0E9E37361EF2'],
  ['5', 5, '19C08621B135968252FB34B4CF66F811'],
  ['-128', -128, '01DAEDABF913540367FE219B2AD06148'],
  ['127', 127, '0C507ACAC853ECA7977BF4CEFB562A25'],
  ['the least 32-bit number', -2_147_483_648, '0B1660D5233C3171725B30D4A5F4CC1F'],
  ['the greatest 32-bit number', 2_147_483_647, '2D9349D64712AEB5EB1406E2F0BE2725'],
  ['the least positive number', Number.MIN_VALUE, '0E6CBA63A280927DE485DEF865800139'],
]
