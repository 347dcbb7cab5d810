/** Host names that lead to the machine itself or its own network. */
const OWN_NETWORK = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp)$/;

/** What is wrong with a webhook's address, as a clause after its name. */
export const WEBHOOK_PROBLEMS = {
  'not-https': 'must be an address that starts with https://',
  'with-password': 'must not hold a user name or a password',
  'own-network': 'must name a host of the public internet, not a number',
} as const;

/**
 * Explains, as a clause, what is wrong with a webhook's address; `undefined` if the address is allowed. The address is
 * a secret, so it is never quoted. Only public https names are allowed, because the webhook must not reach hosts in
 * this machine's own network.
 */
export function webhookProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') return WEBHOOK_PROBLEMS['not-https'];
  if (url.username !== '' || url.password !== '') return WEBHOOK_PROBLEMS['with-password'];
  const host = url.hostname.replace(/\.$/, '');
  const isName = host.includes('.') && !host.startsWith('[') && !/^[\d.]+$/.test(host);
  return isName && !OWN_NETWORK.test(host) ? undefined : WEBHOOK_PROBLEMS['own-network'];
}
