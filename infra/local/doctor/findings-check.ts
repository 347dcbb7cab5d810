import { counted, figure } from '#shared/kernel';
import { unknownMissesKind, type VendorFindings, vendorFindingsKind } from '#shared/questions';
import { type Check, ok, warn } from './check.ts';
import { commandFor } from './command-for.ts';
import { runCheck } from './run-check.ts';
import type { Site } from './site.ts';

/** Compares the results of the probe with the policy's assumptions. */
export function findingsCheck(site: Pick<Site, 'services' | 'policy' | 'stack'>): Promise<Check> {
  const name = 'probe of the data service';
  return runCheck(name, 'see the stores', async () => {
    const findings = (await site.services.findings.read(vendorFindingsKind.key()))?.value;
    if (!findings)
      return ok(name, `not done; to learn what a miss costs: ${commandFor(site, 'probe --max-credits 4')}`);
    const seen = findingLines(findings).join('; ');
    const advice = adviceOf(findings, site);
    return advice.length === 0 ? ok(name, seen) : warn(name, seen, advice.join('; '));
  });
}

/**
 * Reports answers that count as misses although the specification does not list their texts. They have the vendor's
 * format for a miss.
 */
export function unknownMissesCheck({ services }: Pick<Site, 'services'>): Promise<Check> {
  const name = 'texts of "no match"';
  return runCheck(name, 'see the stores', async () => {
    const misses = (await services.unknownMisses.read(unknownMissesKind.key()))?.value;
    if (!misses) return ok(name, 'no unpublished text was seen');
    const { count, lastAtMs, words } = misses;
    const said = words.map((each) => `"${each}"`).join(', ');
    const seen = `${figure(count)} or more misses with unpublished texts, the last at ${new Date(lastAtMs).toISOString()}: ${said}`;
    return warn(name, seen, 'check that these texts mean "no match": such answers are stored as misses');
  });
}

/** One line for each finding. */
export function findingLines(findings: VendorFindings): string[] {
  const { miss, emptySearch, domainMatch, secondPage, rateHeaders } = findings;
  const names = Object.keys(rateHeaders).sort().join(', ');
  const withoutHeaders = miss || emptySearch || domainMatch ? ['answers have no rate headers'] : [];
  return [
    ...(miss
      ? [`a miss ${chargedWords(miss.chargedCredits)}${miss.words ? `, and says "${miss.words}"` : ''}`]
      : []),
    ...(emptySearch ? [`a search without results ${chargedWords(emptySearch.chargedCredits)}`] : []),
    ...(domainMatch ? [DOMAIN_WORDS[domainMatch]] : []),
    ...(secondPage ? [PAGE_WORDS[secondPage]] : []),
    ...(names === '' ? withoutHeaders : [`rate headers: ${names}`]),
  ];
}

function chargedWords(credits: number | undefined): string {
  if (credits === undefined) return 'needs a paid lookup to answer';
  return credits === 0 ? 'is free' : `costs ${counted(credits, 'credit')}`;
}

const DOMAIN_WORDS = {
  exact: 'a domain finds its own company alone',
  'other-domain':
    'the domain found one company, listed under another domain; it may be a second domain of that company',
  wider: 'a domain finds companies of other domains too',
  nothing: 'the domain found no company, so how it matches is not known',
} as const;

const PAGE_WORDS = {
  other: 'a second page has other records',
  repeated: 'a second page repeats the first',
  empty: 'the second page was empty, so whether pages repeat is not known',
} as const;

/**
 * Policy changes for a person to make. The program does not make them itself, because a wrong price could break a
 * budget.
 */
export function adviceOf(
  { miss, emptySearch, domainMatch, secondPage }: VendorFindings,
  site: Pick<Site, 'policy' | 'stack'>,
): string[] {
  const { noMatchCost, emptySearchCost } = site.policy;
  const missCharged = miss?.chargedCredits;
  return [
    ...(missCharged === undefined && (miss || emptySearch) ? [usageListAdvice(site)] : []),
    ...(missCharged === 0 && noMatchCost !== 'none'
      ? [`a miss was free, the policy books it as ${noMatchCost}: set noMatchCost: 'none'`]
      : []),
    ...(missCharged !== undefined && missCharged > 0 && noMatchCost === 'none'
      ? ["a miss is charged, the policy books it as free: set noMatchCost: 'full'"]
      : []),
    ...(emptySearch?.chargedCredits && emptySearchCost === 'none'
      ? ["a search without results is charged, the policy books it as free: set emptySearchCost: 'base'"]
      : []),
    ...(emptySearch?.chargedCredits === 0 && emptySearchCost === 'base'
      ? ["a search without results was free, the policy books one result: set emptySearchCost: 'none'"]
      : []),
    ...(domainMatch === 'other-domain'
      ? [
          `run the probe again with the company's main domain: ${commandFor(site, 'probe --max-credits 4 --domain MAIN-DOMAIN')}`,
        ]
      : []),
    ...(domainMatch === 'wider' ? ['look at the domain of each record that a search by domain finds'] : []),
    ...(secondPage === 'repeated' ? ['ask for one page of a search at most: --max 100'] : []),
  ];
}

function usageListAdvice(site: Pick<Site, 'stack'>): string {
  const probe = commandFor(site, 'probe --miss-charged N --empty-search-charged N');
  return `see in the usage list of its dashboard what both were charged, then run: ${probe}`;
}
