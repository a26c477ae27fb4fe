/** Why a schema cannot be enforced; the tool is withheld. `reason` is ours, apart from a quoted pointer. */
export class Unenforceable extends Error {
  override readonly name = 'Unenforceable'
  readonly reason: string
  constructor(reason: string, pointer?: string, options?: ErrorOptions) {
    const text = pointer === undefined ? reason : `${reason} at ${JSON.stringify(pointer.slice(0, 200) || '/')}`
    super(text, options)
    this.reason = text
  }
}
