/** Parameters of a request by name. */
export type QueryValues = Readonly<Record<string, string>>;

/**
 * Parses the raw query of an address. API Gateway's parsed form is not used, because it joins the values of a repeated
 * parameter with a comma.
 * @returns `undefined` if a parameter is repeated, because the signature or the person may mean the other value.
 */
export function readQuery(rawQuery: string): QueryValues | undefined {
  const pairs = [...new URLSearchParams(rawQuery)];
  return new Set(pairs.map(([name]) => name)).size === pairs.length ? Object.fromEntries(pairs) : undefined;
}
