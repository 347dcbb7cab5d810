import dns from 'node:dns';

/**
 * Names that end in `.localhost` are this machine (RFC 6761, 6.3), which not every operating system knows. The
 * HTTP API of the stand-in for AWS has such a name, and listens to IPv4 only. Imported by the test, and preloaded
 * into the commands that it runs.
 */
const { lookup } = dns;

Object.assign(dns, {
  lookup: (name: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [/(?:^|\.)localhost$/.test(name) ? '127.0.0.1' : name, ...rest]),
});
