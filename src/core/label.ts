const LINE_END = /([\r\n])/
/** However wide the bracket is. */
const LABEL_LIKE = /^\s*[[\uff3b\u3010\u3014\u27e6\u2772]/

/**
 * Words of an upstream behind its label. Each line of them that begins as a label does has it too, or one upstream could speak in the
 * name of another where words of several stand together, or where the first line is out of sight.
 */
export function underLabel(label: string, text: string): string {
  if (!text.includes('\n') && !text.includes('\r')) return label + text
  return (
    label +
    text
      .split(LINE_END)
      .map((line, index) => (index > 0 && LABEL_LIKE.test(line) ? label + line : line))
      .join('')
  )
}
