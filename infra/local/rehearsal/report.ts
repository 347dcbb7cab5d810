import type { TextParams } from '../text-row.ts';
import type { Assumption, AssumptionVerdict } from './assumption.ts';

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

export interface ReportRow {
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
    return observation ? [rowOf(assumption, observation)] : [];
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

function rowOf({ id, what, toChange }: Assumption, observation: AssumptionVerdict): ReportRow {
  return { assumption: id, what, ...observation, ...(observation.verdict === 'differs' && { toChange }) };
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
