import type { NextConfig } from 'next'

export default {
  // Quire reads files of its package, so it must not be bundled.
  serverExternalPackages: ['quire-graphql'],
} satisfies NextConfig
