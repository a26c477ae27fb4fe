/** As much of autocannon 9 as the bench uses; the package ships no types. */
declare module 'autocannon' {
  namespace autocannon {
    interface Request {
      method: string
      headers: Record<string, string>
      body: string
      setupRequest?: (request: Request) => Request
    }
    interface Options extends Request {
      url: string
      connections: number
      duration: number
      requests: Request[]
    }
    interface Result {
      '2xx': number
      non2xx: number
      errors: number
      duration: number
      latency: { p50: number; p99: number }
    }
  }
  function autocannon(options: autocannon.Options): Promise<autocannon.Result>
  export default autocannon
}
