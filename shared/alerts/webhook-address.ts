/** Names that lead into the machine or its own network. */
const INSIDE = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp)$/;

/**
 * What is wrong with the address of a webhook, as a clause; nothing where it may be used. It is a secret, and so never
 * quoted. Only names of the public internet over https: its author must not reach hosts that only this machine can.
 */
export function webhookProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') return 'must be an address that starts with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  const host = url.hostname.replace(/\.$/, '');
  const isName = host.includes('.') && !host.startsWith('[') && !/^[\d.]+$/.test(host);
  return isName && !INSIDE.test(host) ? undefined : 'must name a host of the public internet, not a number';
}
