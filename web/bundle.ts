// Bundles GraphiQL's page with Vite and compresses its files. The old build stays until the new one is complete.

import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const dist = join(import.meta.dirname, 'dist')

export async function bundle(stamp: string): Promise<{ seconds: string; kilobytes: number }> {
  const startMs = performance.now()
  const outDir = `${dist}-${process.pid}`
  try {
    await buildInto(outDir)
    const kilobytes = Math.round((await compress(join(outDir, 'assets'))) / 1000)
    writeFileSync(join(outDir, 'stamp'), stamp)
    rmSync(dist, { recursive: true, force: true })
    renameSync(outDir, dist)
    return { seconds: ((performance.now() - startMs) / 1000).toFixed(1), kilobytes }
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}

function buildInto(outDir: string) {
  return build({
    configFile: false,
    root: join(import.meta.dirname, 'graphiql'),
    // Relative, because the page is served wherever the gateway is mounted.
    base: './',
    logLevel: 'error',
    publicDir: false,
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // Browsers with light-dark(). Otherwise Vite would replace it, and colours would ignore the theme chosen in GraphiQL.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      reportCompressedSize: false,
      // Nothing is inlined, so that all files can be cached for ever.
      assetsInlineLimit: 0,
      // The editor is large.
      chunkSizeWarningLimit: 4000,
    },
  })
}

/** Writes a Brotli and a gzip version of each file that shrinks. Returns the total size with Brotli. */
async function compress(folder: string): Promise<number> {
  const sizes = await Promise.all(readdirSync(folder).map(async (name) => {
    const bytes = readFileSync(join(folder, name))
    const [brotli, gzipped] = await Promise.all([
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
      promisify(gzip)(bytes, { level: 9 }),
    ])
    if (brotli.length >= bytes.length * 0.95) return bytes.length
    writeFileSync(join(folder, `${name}.br`), brotli)
    writeFileSync(join(folder, `${name}.gz`), gzipped)
    return brotli.length
  }))
  return sizes.reduce((sum, size) => sum + size, 0)
}
