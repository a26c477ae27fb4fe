/** The part of oidc-provider that is used here; the package ships no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }

  export namespace errors {
    class InvalidTarget extends Error {}
  }
}
