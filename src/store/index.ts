/**
 * Where decisions that several processes share are kept.
 * Takes keyed digests and integers; every verb is one atomic decision and one round trip. Throws StoreUnavailable, and nothing else.
 * Keeps rate-limit cells, idempotency records, what was used up, and what processes tell each other, in memory or in Redis; one contract
 * suite holds for both.
 * Never sees a caller's text: keys are HMACs, stored answers are ciphertext.
 */
export { type Cells, createCells } from './cells.ts'
export {
  type BeginRequest,
  type BeginResult,
  type Cell,
  type CellState,
  MAX_ANSWER_BYTES,
  MAX_FIELDS,
  MAX_LOG_BYTES,
  MAX_MESSAGE_BYTES,
  MAX_MESSAGES,
  type Store,
  StoreFull,
  StoreUnavailable,
} from './contract.ts'
export { createEnvelopes, type Envelopes, MAX_SEALED_LENGTH, type Opened, type Place } from './envelope.ts'
export { createStoreKeys, deriveKey, type StoreKeys } from './keys.ts'
export { createMemoryStore } from './memory-store.ts'
export { createRedisStore } from './redis-store.ts'
export { storeRefusal } from './refusal.ts'
export { createSealer, type Sealer } from './sealer.ts'
export { createTurns, type Turns } from './turns.ts'
export { watchStore } from './watch-store.ts'
