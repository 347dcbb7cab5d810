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

/** The policy's additions to the built-in lists, in lower case. */
interface OwnAddresses {
  /** Domains of mail providers. */
  readonly mailProviders: readonly string[];
  /** Local parts of offices and machines. */
  readonly roleMailboxes: readonly string[];
}

let own = { mailProviders: new Set<string>(), roleMailboxes: new Set<string>() };

/** Sets the additions, in place of earlier ones. A process works with one policy. */
export function useOwnAddresses({ mailProviders, roleMailboxes }: OwnAddresses): void {
  own = { mailProviders: new Set(mailProviders), roleMailboxes: new Set(roleMailboxes) };
}

export function ownAddresses(): typeof own {
  return own;
}
