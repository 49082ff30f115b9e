// The contrast of every visible text, by WCAG's formula.

import type { Page } from 'playwright-core'

export interface Contrast {
  readonly text: string
  readonly ratio: number
}

/** Texts inside the elements that a selector names, each with the contrast to what is behind it. */
export async function contrasts(page: Page, selector: string): Promise<Contrast[]> {
  return page.evaluate(`(${measure.toString()})(${JSON.stringify(selector)})`)
}

/** Runs in the page, as text: it may use nothing from outside itself. */
/* oxlint-disable typescript/no-explicit-any, unicorn/consistent-function-scoping -- what a page has is not known here */
function measure(selector: string): Contrast[] {
  const { document, getComputedStyle, NodeFilter, SVGElement } = globalThis as any
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })

  function pixel(colour: string): number[] {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }

  function behind(element: any): number[] {
    const paper = element instanceof SVGElement ? element.closest('.box')?.querySelector('.paper') : undefined
    if (paper) return pixel(getComputedStyle(paper).fill)
    for (let at = element; at; at = at.parentElement) {
      const [red, green, blue, alpha] = pixel(getComputedStyle(at).backgroundColor) as [number, number, number, number]
      if (alpha === 255) return [red, green, blue]
    }
    return [255, 255, 255]
  }

  function luminance(colour: number[]): number {
    const [red, green, blue] = colour.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)) as [number, number, number]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  const found: Contrast[] = []
  for (const root of document.querySelectorAll(selector)) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      const text = node.textContent.trim()
      if (text === '' || !element.checkVisibility() || ['title', 'SCRIPT', 'STYLE'].includes(element.tagName)) continue
      const style = getComputedStyle(element)
      const [light, dark] = [luminance(pixel(element instanceof SVGElement ? style.fill : style.color)), luminance(behind(element))].toSorted((one, other) => other - one) as [number, number]
      found.push({ text, ratio: (light + 0.05) / (dark + 0.05) })
    }
  }
  return found
}
