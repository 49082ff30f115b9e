// Formats numbers for the panel.

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`
}

export function figure(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 2 })
}

export function milliseconds(value: number): string {
  return value >= 1000 ? `${(value / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} s` : `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 })} ms`
}
