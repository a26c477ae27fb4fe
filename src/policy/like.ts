/** Compiles a pattern in which only `*` is special (any run of characters, also none). Linear in the text, for any pattern. */
export function compileLike(pattern: string): (text: string) => boolean {
  const pieces = pattern.split('*')
  const first = pieces[0] ?? ''
  if (pieces.length === 1) return text => text === first
  const last = pieces[pieces.length - 1] ?? ''
  const middle = pieces.slice(1, -1).filter(piece => piece !== '')
  return text => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
    const end = text.length - last.length
    let from = first.length
    for (const piece of middle) {
      const found = text.indexOf(piece, from)
      if (found < 0 || found + piece.length > end) return false
      from = found + piece.length
    }
    return true
  }
}
