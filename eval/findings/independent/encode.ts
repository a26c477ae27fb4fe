/** Bits as zero-width characters. */
export const zeroWidth = (words: string) =>
  [...new TextEncoder().encode(words)]
    .map(byte => byte.toString(2).padStart(8, '0').replaceAll('0', '\u200b').replaceAll('1', '\u200c'))
    .join('')

/** Bytes as variation selectors, the way they ride behind an emoji. */
export const selectors = (words: string) =>
  [...new TextEncoder().encode(words)].map(byte => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16)).join('')
