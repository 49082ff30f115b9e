// HTML templates: inserted values are escaped unless they are Html.

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Piece = Html | string | number | undefined | readonly Html[]

export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(String.raw({ raw: strings }, ...pieces.map(markup)))
}

/** JSON for a script of the page, in a block that browsers do not execute. */
export function dataBlock(id: string, data: unknown): Html {
  return new Html(`<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`)
}

function markup(piece: Piece): string {
  if (piece === undefined) return ''
  if (piece instanceof Html) return piece.text
  if (Array.isArray(piece)) return piece.map(markup).join('')
  return String(piece).replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}
