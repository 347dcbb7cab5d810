import { filled, type ParamsOf, textRow } from '../text-row.ts';
import type { AssumptionVerdict } from './assumption.ts';

/** Why a rehearsal or a probe could not see an assumption. A difference needs no code: it is that of the assumption. */
export const NOT_SEEN_TEXTS = {
  'step-ended': textRow('the step ended before it'),
  'step-stopped': textRow('{reason}'),
  'not-rehearsed': textRow('{reason}'),
  'scopes-not-reported': textRow('HubSpot does not report the scopes'),
  'no-header': textRow('no header {header} came'),
  'no-search-refused': textRow('no search was refused'),
  'no-search-answered': textRow('no search was answered'),
  'no-update-refused': textRow('no update was refused alone'),
  'invalid-address-taken': textRow('an invalid address is answered with HTTP {status}'),
  'history-length': textRow('the history has {entries} entries, expected 2'),
  'no-history': textRow('there is no history'),
  'company-before': textRow('the contact had a company already'),
  'no-person': textRow('no person is at a terminal'),
  'name-not-changed': textRow('the first name was not changed'),
  'no-webhook-address': textRow(
    'no webhook can come: set WEBHOOK_PUBLIC_URL, PORT and HUBSPOT_CLIENT_SECRET',
  ),
  'no-webhook-before': textRow(
    'an earlier step waited some minutes, and no webhook at all reached the rehearsal',
  ),
  'no-webhook-at-all': textRow('no webhook at all reached the rehearsal'),
  'no-webhook-of-creation': textRow('no webhook of a new record came'),
  'no-webhook-of-change': textRow('no webhook of the change came'),
  'changes-missing': textRow('{announced} of {changes} changes were announced'),
  'no-signature-fits': textRow(
    'no signature fits: check HUBSPOT_CLIENT_SECRET and WEBHOOK_PUBLIC_URL first, then the clock of this machine',
  ),
  'not-asked': textRow('no answer yet: run the probe with --max-credits 4 and --domain'),
  'unused-domain-found': textRow('the search of an unused domain found companies'),
  'price-not-named': textRow('no answer names a price: read the usage list, then use {option}'),
  'text-not-stored': textRow('the answer is stored, its text is not'),
  'second-domain': textRow('the domain may be a second one of its company: use the main domain'),
  'unknown-domain': textRow('the data service does not know the domain'),
  'one-company': textRow('the domain has one company only: give a domain of several companies'),
};

export type NotSeenCode = keyof typeof NOT_SEEN_TEXTS;

/** Codes without parameters. */
export type PlainNotSeenCode = {
  [Code in NotSeenCode]: keyof ParamsOf<(typeof NOT_SEEN_TEXTS)[Code]> extends never ? Code : never;
}[NotSeenCode];

export function notSeenWith<Code extends NotSeenCode>(
  code: Code,
  params: ParamsOf<(typeof NOT_SEEN_TEXTS)[Code]>,
): AssumptionVerdict {
  return { verdict: 'not seen', code, params, seen: filled(NOT_SEEN_TEXTS[code].seen, params) };
}

export function notSeen(code: PlainNotSeenCode): AssumptionVerdict {
  return notSeenWith(code, {});
}
