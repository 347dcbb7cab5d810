import type { Policy } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import type { VendorFindings } from '#shared/questions';
import { differs, type Finding, holds, notSeen } from './assumption.ts';

const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const NOT_ASKED = 'the probe did not ask: give a higher --max-credits, and --domain';

/** What the probe learned, held against what the policy and the stand-in assume. */
export function probeFindings(
  { miss, emptySearch, domainMatch, secondPage, rateHeaders }: VendorFindings,
  { noMatchCost, emptySearchCost }: Pick<Policy, 'noMatchCost' | 'emptySearchCost'>,
): Readonly<Record<string, Finding>> {
  const lacked = RATE_HEADERS.filter((name) => rateHeaders[name] === undefined);
  return {
    'miss-price': miss ? priceFinding(miss.chargedCredits, noMatchCost) : notSeen(NOT_ASKED),
    'miss-words': miss ? wordsFinding(miss.words) : notSeen(NOT_ASKED),
    'empty-search-price': emptySearch
      ? priceFinding(emptySearch.chargedCredits, emptySearchCost)
      : notSeen(NOT_ASKED),
    'domain-match': domainMatch ? DOMAIN_FINDINGS[domainMatch] : notSeen(NOT_ASKED),
    'second-page': secondPage ? PAGE_FINDINGS[secondPage] : notSeen(NOT_ASKED),
    'service-rate-headers': lacked.length === 0 ? holds() : differs(`an answer lacks ${lacked.join(', ')}`),
  };
}

/** The questions of the probe have no options: full and base price are 1 credit. */
function priceFinding(charged: number | undefined, booked: 'none' | 'base' | 'full'): Finding {
  if (charged === undefined)
    return notSeen('no answer names a price: read the usage list, then use --miss-charged');
  const expected = booked === 'none' ? 0 : 1;
  if (charged === expected) return holds(counted(charged, 'credit'));
  return differs(`it costs ${counted(charged, 'credit')}, the policy books ${counted(expected, 'credit')}`);
}

function wordsFinding(words: string | undefined): Finding {
  return words === undefined ? differs('no answer with status 404 came') : holds(`"${words}"`);
}

const DOMAIN_FINDINGS = {
  exact: holds(),
  'other-domain': notSeen('the domain may be a second one of its company: use the main domain'),
  wider: differs('a domain finds companies of other domains too'),
  nothing: notSeen('the data service does not know the domain'),
} as const satisfies Record<string, Finding>;

const PAGE_FINDINGS = {
  other: holds(),
  repeated: differs('the second page repeats the first'),
  empty: notSeen('the second page was empty'),
} as const satisfies Record<string, Finding>;
