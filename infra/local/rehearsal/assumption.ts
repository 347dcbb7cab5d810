import { filled, type ParamsOf, type TextParams, textRow } from '../../text-row.ts';

/** A behaviour of an outside service that our code or a stand-in relies on, although no document guarantees it. */
export interface AssumedBehaviour {
  readonly what: string;
  readonly source: string;
  /** The file that would fail if the assumption were wrong. */
  readonly reliedOnBy: string;
  /** What to change if the real service differs: a setting of the stand-in, or a file. */
  readonly toChange: string;
}

export interface Assumption extends AssumedBehaviour {
  readonly id: string;
  readonly test: string;
  /** The step of the rehearsal that checks the assumption, or the reason why no step does. */
  readonly step: string | { readonly none: string };
}

/** Result of a rehearsal for one assumption. `seen` is our own text, without values, names, ids or tokens. */
export type AssumptionVerdict =
  | { readonly verdict: 'holds'; readonly seen?: string | undefined }
  | { readonly verdict: 'differs'; readonly seen: string }
  | {
      readonly verdict: 'not seen';
      /** The reason, for scripts. A difference has the id of its assumption instead. */
      readonly code: string;
      readonly params: TextParams;
      readonly seen: string;
    };

export function asAssumed(seen?: string): AssumptionVerdict {
  return { verdict: 'holds', ...(seen !== undefined && { seen }) };
}

export function differs(seen: string): AssumptionVerdict {
  return { verdict: 'differs', seen };
}

/** Returns the verdict that the assumption holds if `isMet`. Otherwise it differs, with the text `seen`. */
export function metOr(isMet: boolean, seen: string): AssumptionVerdict {
  return isMet ? asAssumed() : differs(seen);
}

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

type NotSeenCode = keyof typeof NOT_SEEN_TEXTS;

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

/** Results of a rehearsal or a probe, without secrets, so that a person can attach it to a public issue. */
export interface AssumptionReport {
  readonly format: 1;
  readonly about: 'hubspot' | 'data-service';
  readonly against: 'the real service' | 'the stand-in' | `the service at ${string}`;
  readonly versions: Readonly<Record<string, string>>;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly counts: { readonly holds: number; readonly differs: number; readonly notSeen: number };
  readonly results: readonly ReportRow[];
}

interface ReportRow {
  readonly assumption: string;
  readonly what: string;
  readonly verdict: AssumptionVerdict['verdict'];
  /** Why it was not seen, for scripts. */
  readonly code?: string;
  readonly params?: TextParams;
  readonly seen?: string | undefined;
  /** What to change. Present only if the service differs. */
  readonly toChange?: string;
}

interface Reported {
  readonly about: AssumptionReport['about'];
  readonly isReal: boolean;
  /** The setting whose address replaces the service's own, for example by that of a stand-in. */
  readonly replacedBy?: string | undefined;
  readonly versions: Readonly<Record<string, string>>;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly assumptions: readonly Assumption[];
  readonly observations: Readonly<Record<string, AssumptionVerdict>>;
}

/** Builds the report, in the order of `ASSUMPTIONS`. Assumptions without an observation are left out. */
export function assumptionReport(reported: Reported): AssumptionReport {
  const { about, isReal, replacedBy, versions, startedAtMs, endedAtMs, assumptions, observations } = reported;
  const results = assumptions.flatMap((assumption) => {
    const observation = observations[assumption.id];
    if (!observation) return [];
    const { id, what, toChange } = assumption;
    const change = observation.verdict === 'differs' ? { toChange } : {};
    return [{ assumption: id, what, ...observation, ...change }];
  });
  const count = (verdict: AssumptionVerdict['verdict']) =>
    results.filter((row) => row.verdict === verdict).length;
  return {
    format: 1,
    about,
    against: isReal ? (replacedBy ? `the service at ${replacedBy}` : 'the real service') : 'the stand-in',
    versions,
    startedAt: new Date(startedAtMs).toISOString(),
    endedAt: new Date(endedAtMs).toISOString(),
    counts: { holds: count('holds'), differs: count('differs'), notSeen: count('not seen') },
    results,
  };
}

/**
 * Lines of the report for a terminal. Differences come first, with the change to make, then assumptions that were not
 * seen.
 */
export function reportLines({ results, counts, against }: AssumptionReport): string[] {
  const of = (verdict: AssumptionVerdict['verdict']) => results.filter((row) => row.verdict === verdict);
  return [
    ...of('differs').flatMap(({ assumption, what, seen, toChange }) => [
      `differs   ${assumption}: ${seen}`,
      `          expected: ${what}`,
      `          -> change ${toChange}`,
    ]),
    ...of('not seen').map(({ assumption, seen }) => `not seen  ${assumption}: ${seen}`),
    ...of('holds').map(({ assumption, seen }) => `holds     ${assumption}${seen ? ` (${seen})` : ''}`),
    `Against ${against}: ${counts.holds} hold, ${counts.differs} differ, ${counts.notSeen} not seen.`,
  ];
}
