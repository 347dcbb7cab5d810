const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @param host a `Host` header. @returns `undefined` unless it is a name with an optional port. */
export function hostNamed(host: string | null): URL | undefined {
  // The pattern accepts only a name and a port, because URL also parses a user and a path.
  if (!host || !/^(\[[\da-f:]+\]|[\w.-]+)(:\d+)?$/i.test(host) || !URL.canParse(`http://${host}`))
    return undefined;
  return new URL(`http://${host}`);
}

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.has(hostname);
}
