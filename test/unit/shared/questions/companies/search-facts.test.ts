import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#inside/kernel/clock.ts';
import {
  factsNow,
  isStopped,
  learnSearch,
  type SearchObservation,
} from '#inside/questions/companies/search-facts.ts';

const NOW_MS = 1_000;

function well(asked: number): SearchObservation {
  return { kind: 'answered', asked, results: asked, unusable: 0 };
}

function learned(...lessons: readonly SearchObservation[]) {
  return lessons.reduce((facts, lesson) => learnSearch(facts, lesson, NOW_MS), factsNow(undefined, NOW_MS));
}

describe('what is learned of the company search', () => {
  it('begins with five domains and doubles them up to a page while all goes well', () => {
    expect(learned().size).toBe(5);
    expect(learned(well(5)).size).toBe(10);
    expect(learned(...[5, 10, 20, 40].map(well)).size).toBe(80);
    expect(learned(...[5, 10, 20, 40, 80, 100].map(well)).size).toBe(100);
  });

  it('does not grow by a batch that was smaller than it might have been', () => {
    expect(learned(well(5), well(10), well(3)).size).toBe(20);
  });

  it('halves what the vendor refuses, and never asks for as many again', () => {
    const refused = { kind: 'refused', asked: 20 } as const;
    expect(learned(well(5), well(10), refused)).toMatchObject({ size: 10, tooMany: 20 });
    expect(learned(well(5), well(10), refused, well(10), well(10)).size).toBe(10);
  });

  it('gives up where not even two are taken', () => {
    const lessons = [5, 2].map((asked) => ({ kind: 'refused', asked }) as const);
    expect(isStopped(learned(...lessons))).toBe(true);
  });

  it('gives up for a week after two that were never answered, one after the other', () => {
    const lost = { kind: 'lost' } as const;
    expect(isStopped(learned(lost, well(5), lost))).toBe(false);
    const stopped = learned(lost, lost);
    expect(isStopped(factsNow(stopped, NOW_MS + 7 * DAY_MS - 1))).toBe(true);
    expect(isStopped(factsNow(stopped, NOW_MS + 7 * DAY_MS))).toBe(false);
  });

  it('gives up after five results of no use, and begins anew a month later', () => {
    const useless = (unusable: number): SearchObservation => ({
      kind: 'answered',
      asked: 5,
      results: 5,
      unusable,
    });
    expect(learned(useless(2))).toMatchObject({ size: 5 });
    expect(isStopped(learned(useless(4)))).toBe(false);
    const stopped = learned(useless(5));
    expect(isStopped(factsNow(stopped, NOW_MS + 29 * DAY_MS))).toBe(true);
    expect(factsNow(stopped, NOW_MS + 30 * DAY_MS)).toEqual(learned());
  });

  it('gives up after one search with more results than domains, since each result is charged', () => {
    const answered = (results: number): SearchObservation => ({
      kind: 'answered',
      asked: 5,
      results,
      unusable: 0,
    });
    expect(isStopped(learned(answered(5)))).toBe(false);
    expect(isStopped(learned(answered(6)))).toBe(true);
  });

  it('bears one useless result in ten', () => {
    const lessons = Array.from({ length: 10 }, (): SearchObservation => {
      return { kind: 'answered', asked: 20, results: 20, unusable: 2 };
    });
    expect(isStopped(learned(...lessons))).toBe(false);
  });
});
