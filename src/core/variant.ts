import type { UpstreamConfig } from './configuration.ts'

/** What an upstream shows, and is asked, under its own credential: for everybody whom no class of it claims. */
export const SHARED = 'shared'

/** Every variant of an upstream, the shared one first. */
export function variantsOf({ variants }: Pick<UpstreamConfig, 'variants'>): readonly string[] {
  return [SHARED, ...variants.map(({ name }) => name)]
}

/** The name of a class, as policy and lock files spell it. */
export function isVariantName(text: string): boolean {
  return /^[a-z0-9-]{1,32}$/.test(text)
}

/** An upstream's name for people: with the class where it is not for everybody. */
export function aliasOfVariant(alias: string, variant: string): string {
  return variant === SHARED ? alias : `${alias} @${variant}`
}

/** For records: nothing where there is nothing to tell apart. */
export function variantFact(variant: string): { readonly variant?: string } {
  return variant === SHARED ? {} : { variant }
}
