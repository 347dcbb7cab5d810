export type SearchOperator =
  | 'EQ'
  | 'NEQ'
  | 'LT'
  | 'LTE'
  | 'GT'
  | 'GTE'
  | 'BETWEEN'
  | 'IN'
  | 'NOT_IN'
  | 'HAS_PROPERTY'
  | 'NOT_HAS_PROPERTY'
  | 'CONTAINS_TOKEN'
  | 'NOT_CONTAINS_TOKEN';

export interface SearchFilter {
  readonly propertyName: string;
  readonly operator: SearchOperator;
  /** A date-time is given as epoch milliseconds in digits. */
  readonly value?: string;
  readonly highValue?: string;
  /** For `IN` and `NOT_IN`. Values of string properties must be in lower case. */
  readonly values?: readonly string[];
}

/** Filters of one group are joined by AND, groups by OR. */
export interface SearchFilterGroup {
  readonly filters: readonly SearchFilter[];
}
