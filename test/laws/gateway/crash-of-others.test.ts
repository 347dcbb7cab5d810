import { describe, expect, it } from 'vitest';
import type { Question } from '#shared/questions';
import { STRIDE } from '../../harness/repeated.ts';
import { type Accident, haveAccident } from './crash.ts';
import type { Fate } from './stage.ts';

const by = { profileUrl: 'https://people.example/in/sample' };
const question: Question = { operation: 'personProfile', by, options: ['email'] };
const wider: Question = { ...question, options: ['email', 'phone'] };
const calm = { reply: 'found', question, wider, company: 'nobody', thaw: 'never' } as const;

const STRIKES = (['before', 'after'] as const).flatMap((when) =>
  (['killed', 'frozen', 'failed'] as const).map((kind) => ({ when, kind })),
);

/** Strikes the sweep or the person at its first call, its second, ... until nothing befalls it any more. */
async function strikeOther(
  accident: (fate: Fate) => Accident,
): Promise<{ strikes: number; problems: string[] }> {
  const problems: string[] = [];
  let strikes = 0;
  for (let at = 1; ; at += 1) {
    const before = strikes;
    for (const strike of STRIKES) {
      const fate = { at, ...strike };
      const { wasOtherHit, problems: found } = await haveAccident(accident(fate));
      if (!wasOtherHit) continue;
      strikes += 1;
      problems.push(...found.map((problem) => `${fate.kind} ${fate.when} ${at}: ${problem}`));
    }
    if (strikes === before) return { strikes, problems };
  }
}

/** The asker dies after each of its calls, the first fifteen of them being all that it makes where it is answered. */
const DEATHS = Array.from(
  { length: Math.ceil(15 / STRIDE) },
  (_, index): Fate => ({ at: index * STRIDE + 1, when: 'after', kind: 'killed' }),
);

describe('a sweep struck at every call it makes', () => {
  it('leaves nothing that another sweep does not finish, wherever the asker died', async () => {
    let total = 0;
    for (const fate of DEATHS) {
      const { strikes, problems } = await strikeOther((sweepFate) => ({
        ...calm,
        fate,
        resolve: 'not',
        sweepFate,
      }));
      total += strikes;
      expect(problems.slice(0, 12)).toEqual([]);
    }
    expect(total).toBeGreaterThan(50 / STRIDE);
  });
});

describe('a person struck at every call of a resolution', () => {
  it.each(['charged', 'not-charged'] as const)(
    'leaves books that can be finished, resolved as %s',
    async (resolve) => {
      for (const kind of ['killed', 'frozen'] as const) {
        const { strikes, problems } = await strikeOther((personFate) => ({
          ...calm,
          fate: { at: 3, when: 'after', kind },
          thaw: kind === 'frozen' ? 'as-resolved' : 'never',
          resolve,
          personFate,
        }));
        expect(strikes).toBeGreaterThan(10);
        expect(problems.slice(0, 12)).toEqual([]);
      }
    },
  );
});
