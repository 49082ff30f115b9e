// The _rid of databases, containers and documents: 4, 8 and 16 bytes, each beginning with its owner's,
// which is what the session tokens of the SDK and its order of documents rely on.

export function databaseRid(ordinal: number): Buffer {
  const rid = Buffer.alloc(4)
  rid.writeUInt32BE(ordinal)
  return rid
}

export function containerRid(database: Buffer, ordinal: number): Buffer {
  const own = Buffer.alloc(4)
  own.writeUInt32BE(ordinal)
  return Buffer.concat([database, own])
}

/** The SDK compares documents by the last 8 bytes, lowest byte first. */
export function documentRid(container: Buffer, ordinal: number): Buffer {
  const own = Buffer.alloc(8)
  own.writeBigUInt64LE(BigInt(ordinal))
  return Buffer.concat([container, own])
}

export function ridText(rid: Buffer): string {
  return rid.toString('base64').replaceAll('/', '-')
}
