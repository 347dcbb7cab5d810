import type { Breakages } from '../mutant.ts';

const BUDGETS = 'test/unit/shared/credit-ledger/budgets.test.ts';
const LEDGER = 'test/unit/shared/credit-ledger/ledger.test.ts';
const NEXT_ENTRY = 'test/unit/shared/credit-ledger/next-entry.test.ts';
const ROLL_OVER = 'test/unit/shared/credit-ledger/roll-over.test.ts';
const VERIFY = 'test/unit/shared/credit-ledger/verify.test.ts';
const LAWS = 'test/property/ledger.test.ts';

/** The ledger: never over budget, nothing booked twice, nothing lost, all damage detected. */
export const BOOKS: readonly Breakages[] = [
  {
    file: 'shared/credit-ledger/totals.ts',
    suites: [BUDGETS, LAWS],
    breakages: [
      [
        'doubts do not count against a budget',
        'return posted + pending + doubtful;',
        'return posted + pending;',
      ],
      [
        'what is reserved does not count against a budget',
        'return posted + pending + doubtful;',
        'return posted + doubtful;',
      ],
    ],
  },
  {
    file: 'shared/credit-ledger/budgets.ts',
    suites: [BUDGETS, LAWS],
    breakages: [
      [
        'the last credit of a budget is never spent',
        'leftOf(use, view, spender) < neededCredits',
        'leftOf(use, view, spender) <= neededCredits',
      ],
      [
        'one credit more than the budget is spent',
        'leftOf(use, view, spender) < neededCredits',
        'leftOf(use, view, spender) + 1 < neededCredits',
      ],
      ['no budget at all means no limit', 'if (total.length === 0) {', 'if (total.length < 0) {'],
      [
        'the budget of a purpose is not looked at',
        'return [...total, ...states.filter(',
        'return [...total, ...states.slice(0, 0).filter(',
      ],
    ],
  },
  {
    file: 'shared/credit-ledger/next-entry.ts',
    suites: [NEXT_ENTRY, LAWS, 'test/unit/shared/questions/doubts.test.ts'],
    breakages: [
      ['a voided reservation still counts', 'amountCredits, by: release,', 'amountCredits, by: {},'],
      [
        'a settled reservation stays open and is posted again',
        'const others = books.open.filter((each) => each !== about);',
        'const others = books.open;',
      ],
      [
        'a reservation that is repeated is made twice',
        "if (books.open.some(({ id }) => id === command.reservationId)) return { kind: 'exists' };",
        '',
      ],
      ['any number of reservations may be open', 'if (open >= MAX_OPEN)', 'if (open < 0)'],
    ],
  },
  {
    file: 'shared/credit-ledger/next-entry.ts',
    suites: [ROLL_OVER],
    breakages: [
      [
        'time runs backwards in the log',
        'const atMs = Math.max(newest?.atMs ?? 0, rules.nowMs);',
        'const atMs = rules.nowMs;',
      ],
      [
        'a charge counts on the day it is known, not on the day it was reserved',
        'move(books.totals, { day: about.day,',
        'move(books.totals, { day: books.day,',
      ],
    ],
  },
  {
    file: 'shared/credit-ledger/ledger.ts',
    suites: [LEDGER, LAWS],
    breakages: [
      [
        'a late charge, a grant or an adjustment that is repeated is booked twice',
        "if (await isBooked(services, decision.draft.id, searchedSeq + 1)) return { kind: 'exists' };",
        '',
      ],
      [
        'a place that another took counts as won',
        "(await store.append(entry)) === 'appended';",
        '(await store.append(entry)) !== undefined;',
      ],
      [
        'what a guess of the newest entry refuses is refused',
        "if (decision.kind !== 'entry') return guess ? undefined : decision;",
        "if (decision.kind !== 'entry') return decision;",
      ],
    ],
  },
  {
    file: 'shared/credit-ledger/verify.ts',
    suites: [VERIFY],
    breakages: [
      ['an edited entry is not seen', 'hashOf(rest, digest) !== hash', 'hash === undefined'],
      [
        'an entry that is gone is not seen',
        'entry.previousHash !== (previous?.hash ?? CHAIN_START)',
        'entry.previousHash === undefined',
      ],
      [
        'totals that were made up are not seen',
        'canonical(after.totals) !== canonical(entry.totals)',
        'after.totals === undefined',
      ],
      ['a log that lost its end is not seen', 'seq > (last?.seq ?? 0));', 'seq < 0);'],
      [
        'an entry that took the place of another is not seen',
        'witness === undefined || witness === hash;',
        'true;',
      ],
      [
        'a grant that stands there twice is not seen',
        "'booked-twice': ids.has(id)",
        "'booked-twice': ids.size < 0",
      ],
    ],
  },
  {
    file: 'shared/credit-ledger/search.ts',
    suites: [LEDGER],
    breakages: [
      [
        'what was booked about a reservation is looked for too late in the log',
        ' - SKEW_MS && !mayBe',
        ' + SKEW_MS && !mayBe',
      ],
    ],
  },
];
