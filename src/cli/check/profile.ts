// `quire check --profile`: prints how large the stored documents are and what they look like, property by property, and judges nothing.

import { ConfigError } from '../../errors.ts'
import { openStoreAsDatabase } from '../../evolve/profile/open-store-database.ts'
import { profileDatabase, type Profile } from '../../evolve/profile/profile-database.ts'
import { profileEntries, type ProfileEntry } from '../../evolve/profile/profile-entries.ts'
import { runLongCommand } from '../command/long-command.ts'
import { withStored } from '../command/open-stored.ts'

export interface ProfileCommand {
  readonly json: boolean
  readonly sample?: string
}

/** Returns the exit code. */
export async function runProfile({ json, sample }: ProfileCommand): Promise<number> {
  let [profile, cost]: [Profile | undefined, string] = [undefined, '']
  return runLongCommand({ json, counts: 'documents', maxLines: Infinity }, (run) => withStored(process.env, async ({ declaration, store }) => {
    const database = await openStoreAsDatabase(declaration, store)
    profile = await profileDatabase(database, { sample: sampleOf(sample), signal: run.signal, onProgress: (container, read, total = read) => run.progress(read, total, `documents of ${container}`) })
    const { requestCharge } = database.spent()
    if (requestCharge !== undefined) cost = ` It took ${Math.round(requestCharge)} RU.`
    for (const [title, entries] of Map.groupBy(profileEntries(profile), titleOf)) {
      if (!json) run.item({}, title)
      const width = Math.min(40, Math.max(...entries.map(({ property }) => property.length)))
      for (const entry of entries) run.item(entry, entry.bytes ? `  ${sizeOf(entry, entry.bytes)}` : `  ${entry.property.padEnd(width)}  ${lineOf(entry)}`)
    }
  }), (ended) => {
    const documents = profile?.containers.reduce((sum, { read }) => sum + read, 0) ?? 0
    return { totals: { documents }, summary: `${ended ? '' : 'Stopped. '}Read ${documents} documents.${cost}`, exitCode: ended ? 0 : 130 }
  })
}

function titleOf({ container, type }: ProfileEntry): string {
  return `${container}${type === undefined ? '' : `, type ${JSON.stringify(type)}`}`
}

function sizeOf({ holders, largest }: ProfileEntry, { median, p95, max }: NonNullable<ProfileEntry['bytes']>): string {
  const most = largest ? `; ${Math.round(largest.share * 100)} % of the largest is ${largest.property}` : ''
  return `${holders} ${holders === 1 ? 'document' : 'documents'}; bytes: median ${median}, 95 % ${p95}, max ${max}${most}`
}

function lineOf({ holders, present, nulls, types, distinct, isEstimate, min, max, longest, lengths, idsIn, copies }: ProfileEntry): string {
  const kinds = Object.entries(types)
  const there = present - nulls
  return [
    kinds.length === 0 ? 'null' : kinds.map(([name, count]) => (kinds.length === 1 ? name : `${count} ${name}`)).join(', '),
    there === holders ? `in all ${holders}` : `in ${there} of ${holders}`,
    ...(distinct === undefined ? [] : [`${isEstimate ? 'about ' : ''}${distinct} distinct`]),
    ...(min === undefined ? [] : [`${min} to ${max}`]),
    ...(longest === undefined ? [] : [`at most ${longest} characters`]),
    ...(lengths ? [`lengths: median ${lengths.median}, 95 % ${lengths.p95}, max ${lengths.max}`] : []),
    ...(idsIn ? [`ids in ${titleOf({ container: idsIn.container, ...(idsIn.type === undefined ? {} : { type: idsIn.type }) } as ProfileEntry)}: ${idsIn.found} of ${idsIn.lookedUp}`] : []),
    ...Object.entries(copies ?? {}).map(([name, { equal, drifted }]) => `copy of ${name}: ${equal} equal, ${drifted} drifted`),
  ].join('; ')
}

function sampleOf(given: string | undefined): number {
  if (given === undefined || given === 'all') return Infinity
  const sample = Number(given)
  if (!Number.isInteger(sample) || sample < 1) throw new ConfigError(`--sample is "${given}". Give a whole number above 0, or all.`)
  return sample
}
