import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sideItemKind, suppressionKind } from '#inside/questions/stored-kinds.ts';
import { MINUTE_MS } from '#shared/kernel';
import {
  allKeys,
  createAskGateway,
  finishAbandoned,
  forgetPerson,
  questionKind,
  repeatForgets,
} from '#shared/questions';
import { repeated } from '../../../harness/repeated.ts';
import { type StoreWatch, touches } from '../../../harness/watched-store.ts';
import { found } from '../questions/asking.ts';
import { answerTo, factsOf, human, keysOf, questionsAbout, tracesOf } from './people.ts';
import { openShelf } from './shelf.ts';

const WHO = human(0);
const OTHERS = [human(1), human(2)];
const WAYS = ['url', 'email', 'name', 'title', 'company', 'search', 'employees'] as const;

const ABOUT_PEOPLE = [questionKind, sideItemKind, suppressionKind];

/** An asker calls its stores less often than this. */
const MOST_CALLS = 16;

const NEVER = new Promise<never>(() => undefined);

interface Course {
  readonly way: (typeof WAYS)[number];
  /** The order in which asker and forgetter take their turns. */
  readonly order: readonly boolean[];
  /** After how many calls the asker dies. */
  readonly lives: number;
}

/** One asker with the answer in flight beside one forgetting, in the given order. */
async function follow({ way, order, lives }: Course) {
  const shelf = openShelf([found(answerTo(way, WHO, OTHERS), 3)]);
  const waiting = { asker: [] as (() => void)[], forgetter: [] as (() => void)[] };
  let calls = 0;
  const turnOf = (who: keyof typeof waiting) => async () => {
    if (who === 'asker' && ++calls > lives) await NEVER;
    await new Promise<void>((resolve) => void waiting[who].push(resolve));
  };
  const portsOf = (who: keyof typeof waiting) => {
    const turn = turnOf(who);
    const watch: StoreWatch = async (request, send) => {
      if (ABOUT_PEOPLE.some((kind) => touches(request, kind))) await turn();
      return send();
    };
    return shelf.worker(who, { watch }).services;
  };
  const question = questionsAbout(WHO)[way];
  const notAfterMs = shelf.clock.now() + 60 * MINUTE_MS;
  const state = { asked: false, forgotten: false };
  const asking = createAskGateway(portsOf('asker'))
    .ask({ question, purpose: 'live', notAfterMs })
    .finally(() => {
      state.asked = true;
    });
  const forgetting = forgetPerson(
    { ...shelf.forgetting, ...portsOf('forgetter') },
    allKeys(keysOf(factsOf(WHO))),
  ).finally(() => {
    state.forgotten = true;
  });
  for (let step = 0; ; step += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    const isStuck = waiting.asker.length + waiting.forgetter.length === 0;
    if (isStuck && state.forgotten && (state.asked || calls > lives)) break;
    const [one, other] = order[step % order.length]
      ? [waiting.asker, waiting.forgetter]
      : [waiting.forgetter, waiting.asker];
    (one.shift() ?? other.shift())?.();
  }
  await forgetting;
  return { shelf, result: calls > lives ? undefined : await asking };
}

const courses = fc.record({
  way: fc.constantFrom(...WAYS),
  order: fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }),
  lives: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(25)),
});

/** @returns whether the asker died on the way. */
async function leaveNoTrace(course: Course): Promise<boolean> {
  const { shelf, result } = await follow(course);
  if (!result) {
    await shelf.clock.sleep(6 * MINUTE_MS);
    await finishAbandoned(shelf.worker('sweep').services, { graceMs: 5 * MINUTE_MS });
    await repeatForgets(shelf.forgetting, { graceMs: 5 * MINUTE_MS });
  }
  expect(shelf.foundOf(tracesOf(WHO))).toEqual([]);
  return result === undefined;
}

describe('forgetting somebody while an answer about them is on its way', () => {
  it('leaves no trace, whoever comes last; where the asker dies, once a sweep has come', async () => {
    let deaths = 0;
    await fc.assert(
      fc.asyncProperty(courses, async (course) => {
        if (await leaveNoTrace(course)) deaths += 1;
      }),
      { seed: 20_261_121, numRuns: repeated(500) },
    );
    expect(deaths).toBeGreaterThan(repeated(50));
  });

  it.each(['url', 'search'] as const)(
    'leaves no trace of a %s when all of it falls between two calls of the asker, who dies at any later one',
    async (way) => {
      for (let before = 0; before < MOST_CALLS; before += 1) {
        const order = [...Array(before).fill(true), ...Array(500).fill(false)];
        for (let lives = before; lives < MOST_CALLS; lives += 1) await leaveNoTrace({ way, order, lives });
      }
    },
  );
});
