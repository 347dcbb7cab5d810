const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @param host a `Host` header; `undefined` unless it is a name and perhaps a port. */
export function hostNamed(host: string | null): URL | undefined {
  // Nothing but a name and a port: a URL would take a user or a path, too.
  if (!host || !/^(\[[\da-f:]+\]|[\w.-]+)(:\d+)?$/i.test(host) || !URL.canParse(`http://${host}`))
    return undefined;
  return new URL(`http://${host}`);
}

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.has(hostname);
}
