/** RangeError: a fault of ours, not of the store. */
export function checkWhole(value: number, low: number): void {
  if (!Number.isSafeInteger(value) || value < low) throw new RangeError(`expected a whole number of ${low} or more`)
}
