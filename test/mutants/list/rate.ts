import type { Breakages } from '../mutant.ts';

const ACQUIRE = 'test/unit/shared/rate-limiter/acquire.test.ts';
const COMPLETE = 'test/unit/shared/rate-limiter/complete.test.ts';
const AFTER_429 = 'test/unit/shared/rate-limiter/after-a-429.test.ts';
const LIMITER = 'test/unit/shared/rate-limiter/rate-limiter.test.ts';
const LAWS = 'test/property/rate-limiter.test.ts';
const MANY = 'test/property/rate-limiter-many.test.ts';

/** The rate limiter: never more than the vendor allows, live work first. */
export const RATE: readonly Breakages[] = [
  {
    file: 'shared/rate-limiter/acquire.ts',
    suites: [ACQUIRE, LIMITER, LAWS],
    breakages: [
      [
        'twenty requests are sent before the first answer has told the rate',
        'if (firstMs + FIRST_MS > request.nowMs)',
        'if (firstMs > request.nowMs)',
      ],
      ['headers widen the rate at once', "mode === 'fixed' ? request.nowMs : proved;", 'request.nowMs;'],
      [
        'a request without an answer counts from its sending only',
        'freeAtMs: deadlineMs + WINDOW_MS',
        'freeAtMs: nowMs + WINDOW_MS',
      ],
      [
        'the clock of another worker is believed to the millisecond',
        'isOwn ? freeAtMs : freeAtMs + CLOCK_TOLERANCE_MS',
        'freeAtMs',
      ],
      [
        'a 429 shuts nothing',
        'Math.max(nowMs, state.closed?.untilMs ?? 0, vendorAllowsMs',
        'Math.max(nowMs, vendorAllowsMs',
      ],
      [
        'one request more than the limit is sent',
        'taken[taken.length - limit + Math.min',
        'taken[taken.length - limit - 1 + Math.min',
      ],
      [
        'bulk work does not wait for live work',
        "const afterLiveMs = state.waiters.some((waiter) => waiter.lane !== 'bulk') ?",
        'const afterLiveMs = state.waiters.length < 0 ?',
      ],
      [
        'who waits is written down again at every look',
        'if (own) return own.untilMs >=',
        'if (own) return own.untilMs <',
      ],
      [
        'all who wait look at the same time',
        'const waitersAhead = waitersBefore(state, request).length;',
        'const waitersAhead = 0;',
      ],
      ['a slot whose answer is known is given back', 'slot.id !== id || slot.answered', 'slot.id !== id'],
    ],
  },
  {
    file: 'shared/rate-limiter/complete.ts',
    suites: [COMPLETE, LAWS],
    breakages: [
      [
        "a slot is freed by the request's time instead of the answer's",
        'answered: true as const, freeAtMs: nowMs + WINDOW_MS',
        'answered: true as const, freeAtMs: slot.sentAtMs + WINDOW_MS',
      ],
      [
        'a later answer of a window gives back what another has used',
        'remaining: Math.min(report.remaining, sameWindow?.remaining ?? report.remaining),',
        'remaining: report.remaining,',
      ],
      [
        'a report of an older window is believed',
        'if (report.resetAtMs < (window?.resetAtMs ?? 0)) return before;',
        '',
      ],
      [
        'a report of a window that ended while its answer was under way is believed',
        'if (isEnded && sentAtMs(before, answer) < ended.atMs + CLOCK_TOLERANCE_MS) return before;',
        '',
      ],
      ['a bucket is taken for a fixed window', ' && report.resetInMs > 4 * nextTokenMs;', ';'],
      [
        'fixed windows are believed in right after a 429',
        "return { ...next, limit, mode: 'proof', closed,",
        'return { ...next, limit, closed,',
      ],
    ],
  },
  {
    file: 'shared/vendor/data-service/vendor-client.ts',
    suites: ['test/unit/shared/questions/rate-report.test.ts'],
    breakages: [
      [
        'a 5xx counts as not sent',
        "case 'DATA_SERVICE_NOT_SENT':",
        "case 'DATA_SERVICE_SERVER_FAILURE':\n    case 'DATA_SERVICE_NOT_SENT':",
      ],
    ],
  },
  {
    file: 'shared/rate-limiter/rate-limiter.ts',
    suites: [LIMITER, AFTER_429, 'test/unit/shared/questions/gateway.test.ts'],
    breakages: [
      [
        'a 429 stays with its own process',
        'if (report.limited || !seen) return false;',
        'if (!seen) return false;',
      ],
      [
        'a report is kept back although slots are scarce',
        'return isAmple(seen) && !changesRate(seen, report);',
        'return true;',
      ],
      [
        'a stored state that cannot be read counts as an empty one',
        'known.unreadable ? startOver(limiter.clock.now()) : known',
        'known.unreadable ? INITIAL_STATE : known',
      ],
    ],
  },
  {
    file: 'shared/rate-limiter/state.ts',
    suites: [MANY, COMPLETE],
    breakages: [
      [
        'of slots that are put together the first counts for all',
        'const freeAtMs = Math.max(...slotsOfSecond.map((slot) => slot.freeAtMs));',
        'const freeAtMs = Math.min(...slotsOfSecond.map((slot) => slot.freeAtMs)) - 1_000;',
      ],
      ['slots that are put together count as one', 'sum + count, 0);', 'sum + Math.min(count, 1), 0);'],
    ],
  },
  {
    file: 'shared/store/change-together.ts',
    suites: ['test/unit/shared/store/change-together.test.ts'],
    breakages: [
      [
        'of changes made together only the last one is kept',
        'const decision = decide(value);',
        'const decision = decide(known);',
      ],
    ],
  },
];
