import { meter } from './meter.ts'

/** Which members and items of a value some schema has judged, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  readonly names = new Set<string>()
  readonly indexes = new Set<number>()
  allNames = false
  /** How many items from the start of an array were evaluated. */
  items = 0

  add(other: Evaluated): void {
    meter.spend(4 * (other.names.size + other.indexes.size))
    for (const name of other.names) this.names.add(name)
    for (const index of other.indexes) this.indexes.add(index)
    this.allNames ||= other.allNames
    this.items = Math.max(this.items, other.items)
  }

  addName(name: string): void {
    meter.spend(4)
    this.names.add(name)
  }

  addItem(index: number): void {
    meter.spend(4)
    this.indexes.add(index)
  }

  hasName(name: string): boolean {
    return this.allNames || this.names.has(name)
  }

  hasItem(index: number): boolean {
    return index < this.items || this.indexes.has(index)
  }
}
