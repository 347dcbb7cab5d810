import { type Fact, factsOf, type Situation, sentencesOf } from './facts.ts';
import type { ToldFacts } from './schemas.ts';

export const NOTHING_TOLD: ToldFacts = { facts: [] };

/** What is to be said now, and what was said after it. */
export interface Due {
  readonly sentences: readonly string[];
  readonly told: ToldFacts;
  readonly added: readonly Fact[];
  readonly ended: readonly Fact[];
}

/** Facts are told once: as long as they hold, or until their time. */
export function dueFacts(known: ToldFacts, situation: Situation): Due {
  const facts = factsOf(situation);
  const holds = keysOf(facts);
  const wasTold = keysOf(known.facts);
  const added = facts.filter(({ key }) => !wasTold.has(key));
  const [kept, ended] = parted(
    known.facts,
    ({ key, untilMs = 0 }) => holds.has(key) || untilMs > situation.nowMs,
  );
  const told = { facts: [...kept, ...added] };
  return { sentences: sentencesOf({ added, ended }, situation), told, added, ended };
}

/** The alert did not arrive: it has to be sent again. Other alerts that were sent meanwhile stay. */
export function takenBack(known: ToldFacts, { added, ended }: Pick<Due, 'added' | 'ended'>): ToldFacts {
  const unsaid = keysOf([...added, ...ended]);
  return { facts: [...known.facts.filter(({ key }) => !unsaid.has(key)), ...ended] };
}

function keysOf(facts: ToldFacts['facts']): ReadonlySet<string> {
  return new Set(facts.map(({ key }) => key));
}

function parted<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
