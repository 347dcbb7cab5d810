import type { Breakages } from '../mutant.ts';

const STORIES = 'test/e2e/lanes.test.ts';

/** Order of work: new leads before imports, and no record waits forever. */
export const LANES: readonly Breakages[] = [
  {
    file: 'shared/credit-ledger/budgets.ts',
    suites: [STORIES, 'test/property/ledger.test.ts'],
    breakages: [
      [
        'an import spends what the leads of the day need',
        'return use.leftCredits - reservedIn(use, view, spender);',
        'return use.leftCredits;',
      ],
    ],
  },
  {
    file: 'shared/credit-ledger/lead-reserve.ts',
    suites: ['test/unit/shared/credit-ledger/lead-reserve.test.ts', 'test/property/ledger.test.ts'],
    breakages: [
      ['what leads usually need is not learned', 'Math.max(usual, share', 'Math.max(0, share'],
      ['one busy day of leads keeps imports out for weeks', 'Math.min(share * MAX_SHARE, ', 'Math.max(0, '],
      ['what leads leave of a day lapses at midnight', 'unused * part', 'unused'],
    ],
  },
  {
    file: 'shared/work-queue/coalesce.ts',
    suites: [STORIES],
    breakages: [
      ['imports are worked on as they come', "return laneOf(purpose) === 'bulk' ||", 'return'],
      ['messages grow old behind others', 'nowMs - sentAtMs > FRESH_MS', 'nowMs - sentAtMs < 0'],
    ],
  },
  {
    file: 'shared/work-queue/sweep/admit.ts',
    suites: [STORIES, 'test/unit/shared/work-queue/sweep/admit.test.ts'],
    breakages: [
      [
        'who waits longest waits for ever',
        'return group.toSpliced(place, 0, ...oldest.slice(index, index + 1));',
        'return group;',
      ],
      [
        'where few are served at a time these are the oldest',
        'const place = Math.floor(random() * OLDEST_SHARE);',
        'const place = 0;',
      ],
      ['the oldest goes first', '...query, newestFirst: true', '...query'],
      [
        'a contact keeps a company of the same id out',
        'map((state) => [recordKey(state), state])',
        'map((state) => [state.id, state])',
      ],
    ],
  },
  {
    file: 'shared/enrichment/claim.ts',
    suites: [STORIES],
    breakages: [
      [
        'each change of an old record is read from HubSpot',
        'if (isChange && isOld && !wasLookedUp(state)) return true;',
        '',
      ],
      [
        'a change of a record that nobody knows is read from HubSpot',
        'runsOpened === 0 && (isChange === true ||',
        'runsOpened === 0 && (',
      ],
    ],
  },
  {
    file: 'shared/records/later-runs.ts',
    suites: ['test/unit/shared/records/transitions.test.ts'],
    breakages: [
      [
        'what somebody asks for while a worker has it in hand waits behind the import that it was',
        'if (!run || !next || !givesWay(run, next)) return state;',
        'return state;',
      ],
      [
        'a request with a price joins a run with another price',
        'return run.maxCredits === own.maxCredits && ',
        'return ',
      ],
      ['a request reports charges from before it', '(!isWish || committedCredits(run) === 0)', 'true'],
    ],
  },
  {
    file: 'shared/crm/urgency.ts',
    suites: [STORIES],
    breakages: [
      ['an import counts as fresh leads', "['IMPORT', 'import'],", ''],
      [
        'an import takes a lead for its own',
        'PURPOSES.indexOf(a) <= PURPOSES',
        'PURPOSES.indexOf(a) >= PURPOSES',
      ],
    ],
  },
];
