// Rounds in which every entry is measured once, in turn, so that a slow moment of the machine affects all of them. Each round
// starts with another entry.

export async function interleaved<E, M>(rounds: number, entries: readonly E[], measure: (entry: E, round: number) => Promise<M>): Promise<Map<E, M[]>> {
  const measured = new Map<E, M[]>(entries.map((entry) => [entry, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < entries.length; turn++) {
      const entry = entries[(round + turn) % entries.length]!
      measured.get(entry)!.push(await measure(entry, round))
    }
  }
  return measured
}
