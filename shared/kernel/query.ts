/** Parameters of a request by name. */
export type QueryValues = Readonly<Record<string, string>>;

/**
 * Reads the query of an address. API Gateway joins the values of a repeated parameter with a comma, so the raw query is
 * read instead.
 * @returns undefined if a parameter comes twice: the signature or the person may mean the other value.
 */
export function readQuery(rawQuery: string): QueryValues | undefined {
  const pairs = [...new URLSearchParams(rawQuery)];
  return new Set(pairs.map(([name]) => name)).size === pairs.length ? Object.fromEntries(pairs) : undefined;
}
