import providers from 'email-providers/all.json' with { type: 'json' };

const FREE_MAIL: ReadonlySet<string> = new Set(providers);

/** Whether a domain belongs to a mail provider open to everybody: it never tells a person's company. */
export function isFreeMailDomain(domain: string): boolean {
  return FREE_MAIL.has(domain.toLowerCase());
}
