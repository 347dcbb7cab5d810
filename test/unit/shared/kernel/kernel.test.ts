import { describe, expect, it } from 'vitest';
import { onlyAllowedFields } from '#inside/kernel/logger.ts';
import { assert, counted, type LogFields, seededRandom, UpstreamError, unreachable } from '#shared/kernel';
import {
  brotliPacking,
  createDigest,
  createJsonLogger,
  systemClock,
  systemIds,
  systemRandom,
} from '#shared/kernel/adapters';
import { createManualClock } from '../../../harness/manual-clock.ts';

describe('the system clock', () => {
  it('sleeps on its monotonic time', async () => {
    const before = systemClock.monotonic();
    await systemClock.sleep(2);
    expect(systemClock.monotonic()).toBeGreaterThan(before);
  });

  it('wakes with the reason of whoever aborts, before or during sleep', async () => {
    const reason = new Error('late');
    await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const caller = new AbortController();
    const sleeping = systemClock.sleep(60_000, caller.signal);
    caller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });
});

describe('counts', () => {
  it('have the plural of their noun', () => {
    expect(counted(1, 'credit')).toBe('1 credit');
    expect(counted(0, 'credit')).toBe('0 credits');
    expect(counted(1, 'company')).toBe('1 company');
    expect(counted(1200, 'ledger entry')).toBe('1,200 ledger entries');
    expect(counted(2, 'whole day')).toBe('2 whole days');
  });
});

describe('digests', () => {
  const digest = createDigest('0123456789abcdef');

  it('are those of the standards (FIPS 180-4; RFC 2104)', () => {
    expect(digest.sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(digest.keyed('abc')).toBe('bcaa92843247bc258080d2824bddeba4afb1bd61b4688ca65f60a214e1d9759e');
  });

  it('know equal texts again, and no two secrets alike', () => {
    expect(digest.keyed('a question')).toBe(digest.keyed('a question'));
    expect(digest.keyed('a question')).not.toBe(createDigest('another secret, as long').keyed('a question'));
    expect(digest.keyed('a question')).not.toBe(digest.sha256('a question'));
    expect(digest.sha256('ä')).not.toBe(digest.sha256('a'));
  });

  it('need a secret that cannot be guessed', () => {
    expect(() => createDigest('fifteen letters')).toThrow();
  });
});

describe('randomness', () => {
  it('is the same for the same seed, and another for another', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it('is spread evenly over [0, 1)', () => {
    const random = seededRandom(7);
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < 10_000; i += 1) {
      const number = random();
      expect(number).toBeGreaterThanOrEqual(0);
      expect(number).toBeLessThan(1);
      const tenth = Math.floor(number * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it('of the system is in [0, 1), and its ids never come twice', () => {
    const number = systemRandom();
    expect(number).toBeGreaterThanOrEqual(0);
    expect(number).toBeLessThan(1);
    expect(new Set(Array.from({ length: 100 }, systemIds)).size).toBe(100);
  });
});

describe('errors', () => {
  it('of the outside carry what their reader decides by', () => {
    const cause = new Error('reset');
    const details = { code: 'HTTP_TIMEOUT', message: 'late', retryable: true, status: 503 };
    const error = new UpstreamError({ ...details, retryAfterMs: 1_000, requestId: 'r-1', cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      ...details,
      name: 'UpstreamError',
      retryAfterMs: 1_000,
      requestId: 'r-1',
      cause,
    });
    expect(new UpstreamError(details)).not.toHaveProperty('cause');
  });

  it('that are bugs are thrown as such', () => {
    expect(() => assert(0, 'there')).toThrow('there');
    expect(() => assert('text', 'there')).not.toThrow();
    expect(() => unreachable({ kind: 'odd' } as never)).toThrow('odd');
  });
});

describe('log lines', () => {
  it('are one JSON object each, with a time, a level, an event, and allowed fields only', () => {
    const lines: string[] = [];
    const clock = createManualClock({ startMs: Date.parse('2026-11-18T12:00:00Z') });
    const logger = createJsonLogger(clock, (line) => lines.push(line));
    const fields: LogFields & { email: string } = { count: 3, email: 'someone@example.com' };
    logger.info('asked', fields);
    logger.warn('late');
    logger.error('failed', { code: 'HTTP_TIMEOUT' });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { time: '2026-11-18T12:00:00.000Z', level: 'info', event: 'asked', count: 3 },
      { time: '2026-11-18T12:00:00.000Z', level: 'warn', event: 'late' },
      { time: '2026-11-18T12:00:00.000Z', level: 'error', event: 'failed', code: 'HTTP_TIMEOUT' },
    ]);
  });

  it.each(['email', 'name', 'phone', 'token', 'body', 'properties'])('have no field for %s', (field) => {
    expect(onlyAllowedFields({ [field]: 'x' })).toEqual({});
  });
});

describe('packing', () => {
  it('gives back what it was given, in less room', () => {
    const value = { names: Array.from({ length: 200 }, (_, i) => ({ id: i, text: 'Größe und Maß' })) };
    const packed = brotliPacking.pack(value);
    expect(packed.length).toBeLessThan(JSON.stringify(value).length / 4);
    expect(brotliPacking.unpack(packed)).toEqual(value);
  });

  it('does not take a damaged text for a value', () => {
    expect(() => brotliPacking.unpack('bm90aGluZw==')).toThrow();
  });
});
