import { type RecordName, recordKey } from '#shared/crm';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { explanationBounds } from '#shared/ownership';
import { kind } from '#shared/store';
import { FINDING_KINDS, type FindingKind, previewSchema, type Review, reviewSchema } from './schemas.ts';
import { isUndecided } from './transitions.ts';

export const reviewKind = kind({
  name: 'findings of a record',
  prefix: 'review',
  scope: 'portal',
  table: 'state',
  schema: reviewSchema,
  key: ({ objectType, id }: RecordName) => recordKey({ objectType, id }),
  index: reviewPlace,
  expiry: {
    kept: '`journalDays` of the policy',
    at: ({ changedAtMs }, { journalDays }) => changedAtMs + journalDays * DAY_MS,
  },
  holdsPeople: 'all',
  bound: {
    findings: 'One of a kind; a new one replaces it.',
    'findings.properties': 'Properties of the policy, each once.',
    ...explanationBounds('findings.reason'),
  },
});

/** A record is listed under its most serious undecided finding. A record without undecided findings is not listed. */
function reviewPlace({ findings, changedAtMs }: Review) {
  const place = FINDING_KINDS.find((each) =>
    findings.some((finding) => finding.kind === each && isUndecided(finding)),
  );
  return place && { partition: reviewPartition(place), order: changedAtMs };
}

export function reviewPartition(findingKind: FindingKind): `review-${FindingKind}` {
  return `review-${findingKind}`;
}

/** Time for which the page can show the values to a person. */
export const PREVIEW_MS = 10 * MINUTE_MS;

export const previewKind = kind({
  name: 'values that accepting a finding would write',
  prefix: 'preview',
  scope: 'portal',
  table: 'state',
  schema: previewSchema,
  key: (record: RecordName) => recordKey(record),
  expiry: { kept: '10 minutes', at: ({ atMs }) => atMs + PREVIEW_MS },
  holdsPeople: 'all',
  bound: {
    changes: 'Properties of the policy, each once.',
    'earlier.changes': 'Properties of the policy, each once.',
  },
});
