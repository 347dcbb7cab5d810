/**
 * Why a given value is no value:
 * - `blank`: nothing was given;
 * - `placeholder`: a word or a sample that stands for a missing value, such as `n/a` or `Job Title`;
 * - `masked`: parts are hidden, such as `m***h@acme.example`;
 * - `sentinel`: a number or a date that means "unknown", such as 0 or 1900-01-01;
 * - `malformed`: a damaged value, or one of another kind;
 * - `shared-host`: a domain of a mail provider or of pages of many companies.
 */
export type Unusable = 'blank' | 'placeholder' | 'masked' | 'sentinel' | 'malformed' | 'shared-host';

/** A value without dirt, or the reason why there is none. */
export type Cleaned<Value = string> =
  | { readonly value: Value; readonly unusable?: undefined }
  | { readonly value?: undefined; readonly unusable: Unusable };

export function clean<Value>(value: Value): Cleaned<Value> {
  return { value };
}

export function unusable(why: Unusable): Cleaned<never> {
  return { unusable: why };
}
