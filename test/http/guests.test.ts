import { describe, expect, it } from 'vitest'
import { createGuests } from '../../src/http/guests.ts'

describe('guests', () => {
  it('are gone once each who entered has left, and at once when nobody did', async () => {
    const guests = createGuests()
    await guests.gone()
    guests.enter()
    guests.enter()
    let isEmpty = false
    const gone = guests.gone().then(() => {
      isEmpty = true
    })
    guests.leave()
    await new Promise(setImmediate)
    expect(isEmpty).toBe(false)
    guests.leave()
    await gone
    expect(isEmpty).toBe(true)
  })
})
