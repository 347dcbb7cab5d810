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
