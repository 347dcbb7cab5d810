/** The tables. The stack creates them, and composition opens them. */
export const TABLE_NAMES = ['records', 'questions', 'ledger', 'rateLimiter'] as const;
export type TableName = (typeof TABLE_NAMES)[number];
