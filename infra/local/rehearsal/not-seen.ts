import { NO_PARAMS, type ParamsOf, rendered, type TextParams, type TextRow, textRow } from '../text-row.ts';
import type { AssumptionVerdict } from './assumption.ts';

const REASON = { reason: 'HTTP 403 MISSING_SCOPES' };

/** Why a rehearsal or a probe could not see an assumption. A difference needs no code: it is that of the assumption. */
export const NOT_SEEN_TEXTS = {
  'step-ended': textRow(NO_PARAMS, 'the step ended before it'),
  'step-stopped': textRow(REASON, ({ reason }) => reason),
  'not-rehearsed': textRow({ reason: 'it would take a day' }, ({ reason }) => reason),
  'scopes-not-reported': textRow(NO_PARAMS, 'HubSpot does not report the scopes'),
  'no-header': textRow({ header: 'x-hubspot-ratelimit-max' }, ({ header }) => `no header ${header} came`),
  'no-search-refused': textRow(NO_PARAMS, 'no search was refused'),
  'no-search-answered': textRow(NO_PARAMS, 'no search was answered'),
  'no-update-refused': textRow(NO_PARAMS, 'no update was refused alone'),
  'invalid-address-taken': textRow(
    { status: 200 },
    ({ status }) => `an invalid address is answered with HTTP ${status}`,
  ),
  'history-length': textRow(
    { entries: 1 },
    ({ entries }) => `the history has ${entries} entries, expected 2`,
  ),
  'no-history': textRow(NO_PARAMS, 'there is no history'),
  'company-before': textRow(NO_PARAMS, 'the contact had a company already'),
  'no-person': textRow(NO_PARAMS, 'no person is at a terminal'),
  'name-not-changed': textRow(NO_PARAMS, 'the first name was not changed'),
  'no-webhook-address': textRow(
    NO_PARAMS,
    'no webhook can come: set WEBHOOK_PUBLIC_URL, PORT and HUBSPOT_CLIENT_SECRET',
  ),
  'no-webhook-before': textRow(
    NO_PARAMS,
    'an earlier step waited some minutes, and no webhook at all reached the rehearsal',
  ),
  'no-webhook-at-all': textRow(NO_PARAMS, 'no webhook at all reached the rehearsal'),
  'no-webhook-of-creation': textRow(NO_PARAMS, 'no webhook of a new record came'),
  'no-webhook-of-change': textRow(NO_PARAMS, 'no webhook of the change came'),
  'changes-missing': textRow(
    { announced: 4, changes: 6 },
    ({ announced, changes }) => `${announced} of ${changes} changes were announced`,
  ),
  'no-signature-fits': textRow(
    NO_PARAMS,
    'no signature fits: check HUBSPOT_CLIENT_SECRET and WEBHOOK_PUBLIC_URL first, then the clock of this machine',
  ),
  'not-asked': textRow(NO_PARAMS, 'no answer yet: run the probe with --max-credits 4 and --domain'),
  'unused-domain-found': textRow(NO_PARAMS, 'the search of an unused domain found companies'),
  'price-not-named': textRow(
    { option: '--miss-charged' },
    ({ option }) => `no answer names a price: read the usage list, then use ${option}`,
  ),
  'text-not-stored': textRow(NO_PARAMS, 'the answer is stored, its text is not'),
  'second-domain': textRow(NO_PARAMS, 'the domain may be a second one of its company: use the main domain'),
  'unknown-domain': textRow(NO_PARAMS, 'the data service does not know the domain'),
  'one-company': textRow(NO_PARAMS, 'the domain has one company only: give a domain of several companies'),
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
  const { seen } = rendered<TextParams>(NOT_SEEN_TEXTS[code] as TextRow<TextParams>, params);
  return { verdict: 'not seen', code, params, seen };
}

export function notSeen(code: PlainNotSeenCode): AssumptionVerdict {
  return notSeenWith(code, {});
}
