/** Key names of the ledger table, shared with the stack that creates it. */
export const LEDGER_TABLE = {
  /** `<account>#ledger` */
  partitionKey: 'pk',
  /** The entry's seq, a number. */
  sortKey: 'seq',
  /** Stored together with the entry. The hash does not include it. */
  format: 'format',
} as const;
