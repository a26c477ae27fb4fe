/** A media type without its parameters, in lower case (RFC 9110 §8.3.1); for comparing whole, never in part. */
export function mediaType(value: string): string {
  return (value.split(';', 1)[0] ?? '').trim().toLowerCase()
}
