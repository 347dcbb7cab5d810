/** Key names of the ledger table, shared with the stack that creates it. One conditional put per entry. */
export const LEDGER_TABLE = {
  /** `<account>#ledger` */
  partitionKey: 'pk',
  /** The entry's seq, a number. */
  sortKey: 'seq',
  /** Beside the entry, and not part of what its hash is over. */
  format: 'format',
} as const;
