import type { Policy } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import type { VendorFindings } from '#shared/questions';
import { type AssumptionVerdict, asAssumed, differs, notSeen } from './assumption.ts';

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const NOT_ASKED = 'the probe did not ask: give a higher --max-credits, and --domain';

/** Compares the probe's results with the assumptions of the policy and the stand-in. */
export function probeObservations(
  { miss, emptySearch, domainMatch, secondPage, rateHeaders }: VendorFindings,
  { noMatchCost, emptySearchCost }: Pick<Policy, 'noMatchCost' | 'emptySearchCost'>,
): Readonly<Record<string, AssumptionVerdict>> {
  const lacked = RATE_HEADERS.filter((name) => rateHeaders[name] === undefined);
  return {
    'miss-price': miss ? priceObservation(miss.chargedCredits, noMatchCost) : notSeen(NOT_ASKED),
    'miss-words': miss ? wordsObservation(miss.words) : notSeen(NOT_ASKED),
    'empty-search-price': emptySearch
      ? priceObservation(emptySearch.chargedCredits, emptySearchCost)
      : notSeen(NOT_ASKED),
    'domain-match': domainMatch ? DOMAIN_OBSERVATIONS[domainMatch] : notSeen(NOT_ASKED),
    'second-page': secondPage ? PAGE_OBSERVATIONS[secondPage] : notSeen(NOT_ASKED),
    'service-rate-headers':
      lacked.length === 0 ? asAssumed() : differs(`an answer lacks ${lacked.join(', ')}`),
  };
}

/** Compares a price. The probe's questions have no options, so their full price and base price are both 1 credit. */
function priceObservation(charged: number | undefined, booked: 'none' | 'base' | 'full'): AssumptionVerdict {
  if (charged === undefined)
    return notSeen('no answer names a price: read the usage list, then use --miss-charged');
  const expected = booked === 'none' ? 0 : 1;
  if (charged === expected) return asAssumed(counted(charged, 'credit'));
  return differs(`it costs ${counted(charged, 'credit')}, the policy books ${counted(expected, 'credit')}`);
}

function wordsObservation(words: string | undefined): AssumptionVerdict {
  return words === undefined ? differs('no answer with status 404 came') : asAssumed(`"${words}"`);
}

const DOMAIN_OBSERVATIONS = {
  exact: asAssumed(),
  'other-domain': notSeen('the domain may be a second one of its company: use the main domain'),
  wider: differs('a domain finds companies of other domains too'),
  nothing: notSeen('the data service does not know the domain'),
} as const satisfies Record<string, AssumptionVerdict>;

const PAGE_OBSERVATIONS = {
  other: asAssumed(),
  repeated: differs('the second page repeats the first'),
  empty: notSeen('the second page was empty'),
} as const satisfies Record<string, AssumptionVerdict>;
