/** The longest a timer of Node can be set for. */
export const LONGEST_TIMER_MS = 2_147_483_647
