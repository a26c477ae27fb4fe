/** What this gateway calls itself, towards callers and towards upstreams. A test holds the version against package.json. */
export const PRODUCT = { name: 'wicketgate', version: '0.1.0' } as const
