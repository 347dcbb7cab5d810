/** Host names that lead to the machine itself or its own network. */
const OWN_NETWORK = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp)$/;

/**
 * Explains, as a clause, what is wrong with a webhook's address; `undefined` if the address is allowed. The address is
 * a secret, so it is never quoted. Only public https names are allowed, because the webhook must not reach hosts in
 * this machine's own network.
 */
export function webhookProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') return 'must be an address that starts with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  const host = url.hostname.replace(/\.$/, '');
  const isName = host.includes('.') && !host.startsWith('[') && !/^[\d.]+$/.test(host);
  return isName && !OWN_NETWORK.test(host)
    ? undefined
    : 'must name a host of the public internet, not a number';
}
