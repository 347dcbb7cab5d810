import type { Breakages } from '../mutant.ts';

const ACQUIRE = 'test/unit/shared/rate-limiter/acquire.test.ts';
const COMPLETE = 'test/unit/shared/rate-limiter/complete.test.ts';
const LIMITER = 'test/unit/shared/rate-limiter/rate-limiter.test.ts';
const LAWS = 'test/property/rate-limiter.test.ts';

/** The rate limiter: never more than the vendor allows, live work first. */
export const RATE: readonly Breakages[] = [
  {
    file: 'shared/rate-limiter/acquire.ts',
    suites: [ACQUIRE, LIMITER, LAWS],
    breakages: [
      ['headers widen the rate at once', "mode === 'fixed' ? wish.nowMs : proved;", 'wish.nowMs;'],
      [
        'a request without an answer counts from its sending only',
        'freeAtMs: deadlineMs + WINDOW_MS',
        'freeAtMs: nowMs + WINDOW_MS',
      ],
      [
        'the clock of another worker is believed to the millisecond',
        '(by === worker ? freeAtMs : freeAtMs + WORKER_SKEW_MS)',
        '(by === worker ? freeAtMs : freeAtMs)',
      ],
      [
        'a 429 shuts nothing',
        'Math.max(nowMs, state.closed?.untilMs ?? 0, allowedAt',
        'Math.max(nowMs, allowedAt',
      ],
      [
        'one request more than the limit is sent',
        'freeTimes.length - limit + before]',
        'freeTimes.length - limit - 1 + before]',
      ],
      [
        'bulk work does not wait for live work',
        'state.liveWaiters.length > 0 ? nowMs',
        'state.liveWaiters.length < 0 ? nowMs',
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
        'answered: true, freeAtMs: nowMs + WINDOW_MS',
        'answered: true, freeAtMs: slot.sentAtMs + WINDOW_MS',
      ],
      [
        'a later answer of a window gives back what another has used',
        'remaining: Math.min(report.remaining, same?.remaining ?? report.remaining),',
        'remaining: report.remaining,',
      ],
      [
        'a report of an older window is believed',
        'if (window && report.resetAtMs < window.resetAtMs) return before;',
        '',
      ],
      ['a bucket is taken for a fixed window', ' && report.resetInMs > 4 * nextTokenMs;', ';'],
      [
        'fixed windows are believed in right after a 429',
        "return { ...told, mode: 'proof', closed,",
        'return { ...told, closed,',
      ],
    ],
  },
  {
    file: 'shared/rate-limiter/rate-limiter.ts',
    suites: [LIMITER],
    breakages: [
      [
        'a stored state that cannot be read counts as an empty one',
        'known.unreadable ? startOver(clock.now()) : known',
        'known.unreadable ? INITIAL_STATE : known',
      ],
    ],
  },
];
