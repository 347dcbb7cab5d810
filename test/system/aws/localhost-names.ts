import dns from 'node:dns';

/**
 * Resolves names that end in `.localhost` to this machine (RFC 6761, 6.3), which not every operating system does. The
 * HTTP API of the stand-in for AWS has such a name, and listens on IPv4 only. The test imports it, and preloads it into
 * its commands.
 */
const { lookup } = dns;

Object.assign(dns, {
  lookup: (name: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [/(?:^|\.)localhost$/.test(name) ? '127.0.0.1' : name, ...rest]),
});
