// References that are stored as numbers, although ids are text. Only the standard text of a number becomes that number:
// "01", "" and "1e3" stay text and equal no stored number.

export function numericId(id: string): number | string {
  const number = Number(id)
  return Number.isFinite(number) && String(number) === id ? number : id
}
