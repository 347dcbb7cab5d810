/** Parameters of a request by name. */
export type QueryValues = Readonly<Record<string, string>>;

/**
 * Reads the query of an address. API Gateway joins the values of a repeated parameter with a comma, so the raw query is
 * read instead.
 * @returns nothing where a parameter comes twice: whoever signed or typed it may have meant the other one.
 */
export function readQuery(rawQuery: string): QueryValues | undefined {
  const pairs = [...new URLSearchParams(rawQuery)];
  return new Set(pairs.map(([name]) => name)).size === pairs.length ? Object.fromEntries(pairs) : undefined;
}
