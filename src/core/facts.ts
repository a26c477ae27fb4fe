/** What a record says of something that happened: words and numbers of ours, never a word of a caller's, a token's or an upstream's. */
export type Facts = Readonly<Record<string, string | number | boolean>>

/** Tells the audit trail; `name`: one of those in docs/audit.md. */
export type Report = (name: string, facts: Facts) => void
