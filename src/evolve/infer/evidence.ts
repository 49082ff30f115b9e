// How evidence is put in words.

/** `all 400 documents`, `87.5 % of 400 documents`, `no document`. */
export function shareOf(part: number, whole: number, things: string): string {
  if (part === whole) return whole === 1 ? `the only ${things.replace(/s$/, '')}` : `all ${counted(whole)} ${things}`
  return `${percent(part / whole)} of ${counted(whole)} ${things}`
}

/** `1 document`, `2 documents`. */
export function many(number: number, things: string): string {
  return `${counted(number)} ${number === 1 ? things.replace(/s$/, '') : things}`
}

export function counted(number: number): string {
  return number.toLocaleString('en-US')
}

/** Never 100 or 0 for what is not all or nothing. */
export function percent(part: number): string {
  const rounded = Math.round(part * 1000) / 10
  if (part < 1 && rounded === 100) return '99.9 %'
  return part > 0 && rounded === 0 ? 'less than 0.1 %' : `${rounded} %`
}
