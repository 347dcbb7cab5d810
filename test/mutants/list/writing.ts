import type { Breakages } from '../mutant.ts';

const MAIN_JOB = 'test/e2e/main-job.test.ts';
const LIFE = 'test/e2e/life.test.ts';
const LATE_WRITE = 'test/e2e/late-write.test.ts';
const REFUSED = 'test/e2e/refused-writes.test.ts';
const REFRESH = 'test/e2e/refresh.test.ts';
const CUT_OFF = 'test/e2e/undo-and-runs.test.ts';
const JOURNAL = 'test/e2e/journal-failures.test.ts';
const ALONE = 'test/e2e/failures-alone.test.ts';
const MAY_WRITE = 'test/unit/shared/ownership/may-write.test.ts';

/** The write-back: people's values win, the journal precedes every write, and paid values reach HubSpot. */
export const WRITING: readonly Breakages[] = [
  {
    file: 'shared/ownership/may-write.ts',
    suites: [MAY_WRITE],
    breakages: [
      [
        "a person's value is overwritten where only ours may be",
        "if (!isOurs) return keep('person-wrote');",
        '',
      ],
      [
        'what somebody emptied is filled again',
        "request.by !== 'person' && wasEmptied(entry, current);",
        'false;',
      ],
      [
        'what somebody brought back is written over',
        'if (!isBlank && entry.broughtBack?.includes(mark))',
        'if (!isBlank && !entry)',
      ],
      ['what was not read is written over', "if (value === undefined) return keep('not-read');", ''],
    ],
  },
  {
    file: 'shared/enrichment/write-back/guarded-writes.ts',
    suites: [JOURNAL, LATE_WRITE, MAIN_JOB, CUT_OFF],
    breakages: [
      [
        'history is not asked after an attempt whose end nobody told',
        'openUntil.has(held.id) || wasInterrupted(held)',
        'wasInterrupted(held)',
      ],
      [
        'a run that lost its worker is not looked into',
        'openUntil.has(held.id) || wasInterrupted(held)',
        'openUntil.has(held.id)',
      ],
      [
        'the journal is written after the write',
        'const { allowed, failures } = await journalPlans(',
        `const early = differing.map(({ draft, writes }) => ({ id: draft.held.id, properties: writes }));
  await services.crm.write({ objectType: writing.objectType, writes: early });
  const { allowed, failures } = await journalPlans(`,
      ],
      [
        'the journal never learns what HubSpot made of a write',
        'const unconfirmed = await journalResults(services, answeredPlans);',
        'const unconfirmed: Awaited<ReturnType<typeof journalResults>> = new Map();',
      ],
      [
        'an attempt that was made is not noted as one whose end nobody told',
        'if (hasValues && !knownIds.includes(id)) noteOpen(',
        'if (!hasValues) noteOpen(',
      ],
    ],
  },
  {
    file: 'shared/enrichment/write-back/write-back.ts',
    suites: [REFUSED, LATE_WRITE],
    breakages: [
      [
        'a write that HubSpot refuses fails at once instead of waiting',
        "if (refusal && answered.kind === 'found' && untilMs < answered.expiresAtMs)",
        'if (refusal === null)',
      ],
      [
        'what HubSpot refuses is bought on and on',
        'if (outcomes.length > 0) await',
        'if (outcomes.length > 999) await',
      ],
      [
        'a write that may still arrive is taken for settled',
        "if (openUntilMs !== undefined) return { reason: 'WRITE_UNCONFIRMED'",
        "if (openUntilMs === 0) return { reason: 'WRITE_UNCONFIRMED'",
      ],
    ],
  },
  {
    file: 'shared/enrichment/write-back/guarded-writes.ts',
    suites: [REFUSED, ALONE],
    breakages: [
      [
        'one value that HubSpot refuses keeps back all others',
        "const reduced = result.kind === 'refused' ? writing.writer.withoutRefused(plan, result) : undefined;",
        'const reduced = undefined;',
      ],
    ],
  },
  {
    file: 'shared/enrichment/write-back/plan-writes.ts',
    suites: [MAIN_JOB, LIFE, LATE_WRITE],
    breakages: [
      [
        'the answer about one person is written to another',
        'fingerprintOf(seen, services) !== fingerprintOf(held.record, services)',
        "fingerprintOf(seen, services) === ''",
      ],
      [
        'who opts out while being asked about is written to',
        "if (hasOptedOut(current)) return withoutValues(draft, because('opted-out'));",
        '',
      ],
      [
        'what a late write took from a person is not brought back',
        'writes: { ...fields, ...back, ...statuses }',
        'writes: { ...fields, ...statuses }',
      ],
    ],
  },
  {
    file: 'shared/field-policy/employer.ts',
    suites: ['test/unit/shared/enrichment/write-back/employer.test.ts', REFRESH],
    breakages: [
      [
        "one employer's values are mixed with another's",
        'if (!blocking || !isAnotherEmployer) return { writes };',
        'if (!blocking || blocking) return { writes };',
      ],
    ],
  },
  {
    file: 'shared/enrichment/write-back/job-change.ts',
    suites: ['test/e2e/job-change.test.ts'],
    breakages: [
      [
        'a job change that waits for review is told anew with every answer',
        'employer !== undefined && draft.employer !== employer;',
        'employer !== undefined;',
      ],
      [
        'what is known of the old employer alone is said of the new one',
        'hasLeftEmployer ? leftBehind(employerValues)',
        'hasLeftEmployer ? leftBehind(employerValues).slice(99)',
      ],
    ],
  },
  {
    file: 'shared/enrichment/write-back/recover.ts',
    suites: ['test/unit/shared/enrichment/write-back/recover.test.ts', LATE_WRITE, REFUSED],
    breakages: [
      [
        'what was planned to be given back is forgotten with its worker',
        'fate.ours !== undefined && isUndo(entry, change))',
        'fate.ours === null)',
      ],
      ['an attempt before the newest is taken for over', '[...untilMs, entry.openUntilMs]', '[...untilMs]'],
      [
        'what a later attempt has no more keeps its run open for ever',
        'map(({ sentAtMs = entry.sentAtMs }) => sentAtMs +',
        'map(() => entry.sentAtMs +',
      ],
      [
        'what somebody wrote after our write counts as ours',
        "if (fate.kind === 'overtaken') theirs[change.property] = fate.value;",
        "if (fate.kind === 'overtaken') ours[change.property] = fate.value;",
      ],
      ['what an undo brought back counts as ours', '(isUndo(entry, change) ? theirs : ours)[', 'ours['],
    ],
  },
  {
    file: 'shared/enrichment/write-back/by-history.ts',
    suites: [LIFE],
    breakages: [
      ["a person's value is taken for ours by HubSpot's history", "if (by === 'us') ours[", 'if (by) ours['],
    ],
  },
];
