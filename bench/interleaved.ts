// Rounds in which everything is measured once, in turn. A slow moment of the machine then meets all
// of them, and who goes first changes from round to round.

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
