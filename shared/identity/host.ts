/**
 * Returns the ASCII host of any address, also of a public suffix such as `ac.uk`, without `www.`. It needs no list of
 * suffixes, so that small Lambdas can have it.
 */
export function hostOf(text: string): string | undefined {
  const host = URL.parse(withScheme(text))?.hostname.replace(/^www\./, '');
  return host === '' ? undefined : host;
}

/** Returns the address with a scheme. */
export function withScheme(text: string): string {
  const trimmed = text.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
}
