/** The clock that all workers share: the store tells its own time with each answer. */
export interface StoreClock {
  /** How far this machine's clock is surely ahead of the store's, behind it if negative; 0 while nothing is known. */
  offsetMs(): number;
}
