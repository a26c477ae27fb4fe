import type { JsonObject } from '../core/json.ts'
import type { ItemKind } from '../core/model.ts'
import type { Fault } from './faults.ts'
import type { Path, SourceDocument } from './source-document.ts'

/** What may be a slip and is no fault: policies are complete without what was approved, and are written before it. */
export type Note = Omit<Fault, 'code'>

/** Something that was approved. */
export interface KnownItem {
  readonly kind: ItemKind
  /** Its name, URI or template. */
  readonly name: string
  readonly descriptor: JsonObject
}

export function noteAt(document: SourceDocument | undefined, path: Path, message: string, at: 'key' | 'value' = 'value'): Note[] {
  return document === undefined ? [] : [{ file: document.file, ...document.place(path, at), message }]
}
