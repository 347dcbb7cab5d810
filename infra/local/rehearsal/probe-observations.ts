import type { Policy } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import type { VendorFindings } from '#shared/questions';
import { LOOKUPS } from '#shared/questions';
import { isPublishedText } from '#shared/vendor';
import { type AssumptionVerdict, asAssumed, differs } from './assumption.ts';
import { DATA_SERVICE_ASSUMPTIONS, type DataServiceStep } from './data-service-assumptions.ts';
import { notSeen, notSeenWith } from './not-seen.ts';

type Verdicts = Readonly<Record<string, AssumptionVerdict>>;
type Prices = Pick<Policy, 'noMatchCost' | 'emptySearchCost'>;

/** Why the latest probe has no answer, by step. */
export type Unanswered = ReadonlyMap<DataServiceStep, string>;

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/**
 * Compares the probe's results with the assumptions of the policy and the stand-in. Each assumption about the data
 * service gets a verdict.
 */
export function probeObservations(
  findings: VendorFindings,
  prices: Prices,
  unanswered: Unanswered,
): Verdicts {
  const verdicts: Verdicts = {
    ...lookupVerdicts(findings, prices),
    ...searchVerdicts(findings, prices),
    'service-rate-headers': headersVerdict(findings),
  };
  return Object.fromEntries(
    DATA_SERVICE_ASSUMPTIONS.map(({ id, step }) => {
      if (typeof step !== 'string') return [id, notSeenWith('not-rehearsed', { reason: step.none })];
      const reason = unanswered.get(step);
      const known = verdicts[id] ?? notSeen('not-asked');
      return [id, reason === undefined ? known : notSeenWith('step-stopped', { reason })];
    }),
  );
}

function lookupVerdicts(
  { miss }: VendorFindings,
  { noMatchCost = LOOKUPS.lookUpPerson.price.miss }: Prices,
): Verdicts {
  if (!miss) return {};
  return {
    'miss-price': priceVerdict(miss.chargedCredits, { booked: noMatchCost, option: '--miss-charged' }),
    'miss-words': wordsVerdict(miss.words),
  };
}

function searchVerdicts(
  { emptySearch, domainMatch, secondPage, exceedsPage }: VendorFindings,
  { emptySearchCost }: Prices,
): Verdicts {
  const isUnusedFound = emptySearch !== undefined && emptySearch.results > 0;
  const charged = { booked: emptySearchCost, option: '--empty-search-charged' };
  return {
    ...(emptySearch && {
      'empty-search-price': isUnusedFound
        ? notSeen('unused-domain-found')
        : priceVerdict(emptySearch.chargedCredits, charged),
    }),
    ...(domainMatch && { 'domain-match': DOMAIN_VERDICTS[domainMatch] }),
    ...(isUnusedFound && { 'domain-match': differs('an unused domain finds companies') }),
    ...(secondPage && { 'second-page': PAGE_VERDICTS[secondPage] }),
    ...(domainMatch && { 'search-page-size': sizeVerdict({ domainMatch, secondPage, exceedsPage }) }),
  };
}

/** Compares a price. The probe's questions have no options, so their full price and base price are both 1 credit. */
function priceVerdict(
  charged: number | undefined,
  { booked, option }: { readonly booked: 'none' | 'base' | 'full'; readonly option: string },
): AssumptionVerdict {
  if (charged === undefined) return notSeenWith('price-not-named', { option });
  const expected = booked === 'none' ? 0 : 1;
  if (charged === expected) return asAssumed(counted(charged, 'credit'));
  return differs(`it costs ${counted(charged, 'credit')}, the policy books ${counted(expected, 'credit')}`);
}

/** The text itself stays out of the report, because a service can quote the question in it. */
function wordsVerdict(words: string | undefined): AssumptionVerdict {
  if (words === undefined) return notSeen('text-not-stored');
  if (words === '') return differs('no answer with status 404 and a text came');
  const error = words.split(': ').at(-1) ?? '';
  return isPublishedText(error) ? asAssumed() : differs('the text of the answer is not a published one');
}

function headersVerdict({ rateHeaders }: VendorFindings): AssumptionVerdict {
  const lacked = RATE_HEADERS.filter((name) => rateHeaders[name] === undefined);
  return lacked.length === 0 ? asAssumed() : differs(`an answer lacks ${lacked.join(', ')}`);
}

const DOMAIN_VERDICTS = {
  exact: asAssumed(),
  'other-domain': notSeen('second-domain'),
  wider: differs('a domain finds companies of other domains too'),
  nothing: notSeen('unknown-domain'),
} as const satisfies Record<string, AssumptionVerdict>;

const PAGE_VERDICTS = {
  other: asAssumed(),
  repeated: differs('the second page repeats the first'),
  empty: notSeen('one-company'),
} as const satisfies Record<string, AssumptionVerdict>;

function sizeVerdict({
  domainMatch,
  secondPage,
  exceedsPage,
}: Pick<VendorFindings, 'domainMatch' | 'secondPage' | 'exceedsPage'>): AssumptionVerdict {
  if (exceedsPage) return differs('a page of one result has more');
  if (secondPage === 'other') return asAssumed();
  return domainMatch === 'nothing' ? DOMAIN_VERDICTS.nothing : notSeen('one-company');
}
