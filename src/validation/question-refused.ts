/** Why a question of an upstream may not be asked. */
export class QuestionRefused extends Error {
  override readonly name = 'QuestionRefused'
  /** One of our own words, for the record. */
  readonly reason: string
  /** The protocol's word for what was asked for; `any` where it is none of those, or about all of them. */
  readonly question: string
  constructor(reason: string, question = 'any') {
    super(reason)
    this.reason = reason
    this.question = question
  }
}
