import type { Json } from '../core/json.ts'
import { meter } from './meter.ts'

/** Something a schema wants and a value lacks. Apart from the path, nothing in it comes from the value. */
export interface Fault {
  readonly keyword: string
  /** What the schema says, as far as the words for it need that. */
  readonly wanted: Json
  readonly path: readonly (string | number)[]
  /** A property that is missing there. */
  readonly missing: string | undefined
  /** It is about the name of a property there. */
  readonly isOfName: boolean
}

const MAX_FAULTS = 200

/** What is found while a value is checked, and where in the value the check is. */
export class FaultLog {
  readonly faults: Fault[] = []
  readonly #path: (string | number)[] = []
  #depth = 0
  /** The name of a property is judged, not its value. */
  isAtName = false
  /** False while it is only asked whether a schema fits, as for the branches of a choice. */
  isOpen = true
  /** True when all faults are wanted, not the first alone. */
  goesOn = false

  start(goesOn: boolean): void {
    this.faults.length = 0
    this.#depth = 0
    this.isAtName = false
    this.isOpen = true
    this.goesOn = goesOn
  }

  enter(key: string | number): void {
    this.#path[this.#depth++] = key
  }

  leave(): void {
    this.#depth--
  }

  /** Always false, so that it can be the answer of who found the fault. */
  add(keyword: string, wanted: Json, missing?: string): false {
    if (!this.isOpen || this.faults.length >= MAX_FAULTS) return false
    meter.spend(10 + this.#depth)
    this.faults.push({ keyword, wanted, path: this.#path.slice(0, this.#depth), missing, isOfName: this.isAtName })
    return false
  }

  /** Faults of branches of which another one fits. */
  dropFrom(length: number): void {
    if (this.isOpen) this.faults.length = length
  }
}
