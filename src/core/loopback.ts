const IPV4 = /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/

/**
 * Whether a host, as a URL, a setting or a socket names it, is this machine speaking to itself (RFC 6890, RFC 6761 §6.3).
 * Names under `.localhost` are not: a resolver may send them elsewhere.
 */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || IPV4.test(host)
}
