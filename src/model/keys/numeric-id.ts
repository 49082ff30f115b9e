// References that are stored as numbers, though ids are text. Only the text that a number is written
// as is that number: "01", "" and "1e3" are ids like any other and equal no stored number.

export function numericId(id: string): number | string {
  const number = Number(id)
  return Number.isFinite(number) && String(number) === id ? number : id
}
