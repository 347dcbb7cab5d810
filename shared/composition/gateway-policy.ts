import type { Policy } from '#shared/field-policy';
import { DAY_MS, SECOND_MS } from '#shared/kernel';
import type { GatewayPolicy } from '#shared/questions';

/** Timeout of a request to the data service: ten times its average of about three seconds. */
export const REQUEST_TIMEOUT_MS = 30 * SECOND_MS;
/**
 * How long the result of a search is reused. A person requests a list to see current data, so on the next day the
 * search is sent again.
 */
const SEARCH_FRESHNESS_MS = DAY_MS;

/** Derives the ask gateway's settings from an installation's policy. */
export function gatewayPolicy(policy: Policy): GatewayPolicy {
  const { freshness, noMatchCost, emptySearchCost, noMatchRetryDays, testCreditsPerHour } = policy;
  const person = freshness.contactsDays * DAY_MS;
  const company = freshness.companiesDays * DAY_MS;
  return {
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    noMatchCost,
    emptySearchCost,
    testCreditsPerHour,
    freshnessMs: {
      personProfile: person,
      reverseEmail: person,
      lookUpPerson: person,
      reversePhone: person,
      companyProfile: company,
      searchPeople: SEARCH_FRESHNESS_MS,
      searchCompanies: SEARCH_FRESHNESS_MS,
      searchEmployees: SEARCH_FRESHNESS_MS,
    },
    noMatchRetryMs: noMatchRetryDays.map((days) => days * DAY_MS),
  };
}
