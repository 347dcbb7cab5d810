import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel/clock.ts';
import {
  type BoughtFunding,
  hiddenAtMost,
  learnRounds,
  lookFor,
  type RoundsLesson,
  roundsNow,
  type Verdict,
} from '#shared/questions/companies/rounds-facts.ts';

const NOW_MS = Date.UTC(2026, 10, 21);
const MONTH_MS = (365.25 / 12) * DAY_MS;
/** Known for a quarter of a year. */
const SINCE_MS = NOW_MS - 90 * DAY_MS;

function learned(...lessons: readonly RoundsLesson[]) {
  return lessons.reduce((facts, lesson) => learnRounds(facts, lesson, NOW_MS), roundsNow(undefined, NOW_MS));
}

/** @param months since the last round; none, for a company that never had one. */
function bought(domain: string, months?: number, verdict?: Verdict): BoughtFunding {
  const roundAtMs = months === undefined ? undefined : NOW_MS - months * MONTH_MS;
  return { domain, boughtAtMs: NOW_MS, roundAtMs, verdict };
}

function purchases(...all: readonly BoughtFunding[]): RoundsLesson {
  return { kind: 'bought', bought: all };
}

function look(...all: readonly BoughtFunding[]) {
  return lookFor(learned(purchases(...all)), { sinceMs: SINCE_MS, nowMs: NOW_MS });
}

function looked(looked: number, named: number, refutedBy: readonly string[] = []): RoundsLesson {
  return { kind: 'looked', looked, named, unnamed: [], refutedBy };
}

const NAMED: Verdict = { kind: 'named', sinceMs: SINCE_MS };
const UNNAMED: Verdict = { kind: 'unnamed', sinceMs: SINCE_MS };

describe('a search for companies by their last round', () => {
  it('looks a month farther back than funding is known for, and names who proves it', () => {
    const controls = [
      bought('young.com', 1.5),
      bought('old.com', 9),
      bought('older.com', 30),
      bought('none.com'),
    ];
    expect(look(...controls)).toMatchObject({
      months: 4,
      named: ['young.com'],
      unnamed: ['old.com', 'none.com'],
    });
  });

  it('looks up to a year farther back where no round is so young', () => {
    expect(look(bought('year.com', 12), bought('none.com'))).toMatchObject({
      months: 13,
      named: ['year.com'],
    });
    expect(look(bought('years.com', 16), bought('none.com'))).toBeUndefined();
  });

  it.each([
    ['nobody', []],
    ['only those who had one lately', [bought('a.com', 1), bought('b.com', 2)]],
    ['only those who had none', [bought('a.com'), bought('b.com')]],
    ['only those whose case is not clear', [bought('a.com', 3.5), bought('b.com', 5)]],
  ])('is not made where it is known of %s', (_, controls) => {
    expect(look(...controls)).toBeUndefined();
  });

  it('takes nobody for a proof of whom it is known for half a year', () => {
    const facts = learned(purchases(bought('a.com', 2), bought('b.com')));
    const later = { sinceMs: NOW_MS + 91 * DAY_MS, nowMs: NOW_MS + 181 * DAY_MS };
    expect(lookFor(facts, later)).toBeUndefined();
    const seen = { ...looked(9, 0), unnamed: ['b.com'] } as const;
    const young = { ...bought('c.com', -4), boughtAtMs: later.nowMs - DAY_MS };
    const renewed = learnRounds(learnRounds(facts, seen, later.nowMs - DAY_MS), purchases(young), NOW_MS);
    expect(lookFor(renewed, later)).toMatchObject({ named: ['c.com'], unnamed: ['b.com'] });
  });

  it('keeps five of each kind: new rounds, older ones, none', () => {
    const all = Array.from({ length: 40 }, (_, nth) => bought(`${nth}.com`, nth < 20 ? nth + 1 : undefined));
    const { controls } = learned(purchases(...all));
    expect(controls).toHaveLength(15);
    expect(controls.slice(0, 5).map(({ domain }) => domain)).toEqual([
      '0.com',
      '1.com',
      '2.com',
      '3.com',
      '4.com',
    ]);
  });
});

describe('a search for rounds is given up', () => {
  it('by two controls at once, and by one after another, but not by one in between', () => {
    expect(learned(looked(9, 9, ['a.com', 'b.com'])).stopped).toMatchObject({ why: 'controls' });
    expect(learned(looked(9, 9, ['a.com']), looked(9, 9, ['b.com'])).stopped).toMatchObject({
      why: 'controls',
    });
    expect(learned(looked(9, 9, ['a.com']), looked(9, 1), looked(9, 9, ['b.com'])).stopped).toBeUndefined();
  });

  it('after ten in a row that had no round', () => {
    const vain = Array.from({ length: 9 }, (_, nth) => purchases(bought(`${nth}.com`, 30, NAMED)));
    const news = purchases(bought('news.com', 1, NAMED));
    expect(learned(...vain, news, ...vain).stopped).toBeUndefined();
    expect(learned(...vain, purchases(bought('none.com', undefined, NAMED))).stopped).toMatchObject({
      why: 'in-vain',
    });
  });

  it('where audits tell that it hides more than a fifth of the rounds', () => {
    const found = Array.from({ length: 30 }, (_, nth) => purchases(bought(`${nth}.com`, 1, NAMED)));
    const audits = (hidden: number) =>
      Array.from({ length: 20 }, (_, nth) =>
        purchases(bought(`audit-${nth}.com`, nth < hidden ? 1 : 20, UNNAMED)),
      );
    const blind = learned(looked(330, 30), ...found, ...audits(3));
    expect(blind).toMatchObject({ audited: 20, missed: 3, stopped: { why: 'missed' } });
    expect(learned(looked(330, 30), ...found, ...audits(2)).stopped).toBeUndefined();
  });

  it('for a week where two are never answered, one after the other', () => {
    const lost = { kind: 'lost' } as const;
    expect(learned(lost, looked(9, 1), lost).stopped).toBeUndefined();
    const stopped = learned(lost, lost);
    expect(roundsNow(stopped, NOW_MS + 7 * DAY_MS - 1).stopped).toMatchObject({ why: 'unanswered' });
    expect(roundsNow(stopped, NOW_MS + 7 * DAY_MS).stopped).toBeUndefined();
  });

  it('where the vendor takes not even five companies, after fewer and fewer', () => {
    expect(learned({ kind: 'refused', asked: 40 })).toMatchObject({ most: 20 });
    expect(learned({ kind: 'refused', asked: 10 }).stopped).toBeUndefined();
    expect(learned({ kind: 'refused', asked: 9 }).stopped).toMatchObject({ why: 'refused' });
  });

  it('where the vendor refuses it; and begun anew a month later, with the controls that it has', () => {
    const stopped = learned(purchases(bought('a.com')), looked(5, 1), { kind: 'refused', asked: 5 });
    expect(roundsNow(stopped, NOW_MS + 29 * DAY_MS).stopped).toMatchObject({ why: 'refused' });
    const anew = roundsNow(stopped, NOW_MS + 30 * DAY_MS);
    expect(anew.stopped).toBeUndefined();
    expect(anew).toMatchObject({ looked: 0, controls: [{ domain: 'a.com' }] });
  });
});

it('what it may hide is bounded by the audits', () => {
  const found = Array.from({ length: 30 }, (_, nth) => purchases(bought(`${nth}.com`, 1, NAMED)));
  const clean = Array.from({ length: 60 }, (_, nth) => purchases(bought(`audit-${nth}.com`, 20, UNNAMED)));
  // Of sixty none: at most 1 - 0.05^(1/60) = 4.9% of 300, so 14.6 beside the 30 that were found.
  expect(hiddenAtMost(learned(looked(330, 30), ...found, ...clean))).toBeCloseTo(14.6 / 44.6, 2);
  expect(hiddenAtMost(learned(looked(330, 30), ...found))).toBeCloseTo(300 / 330, 2);
});
