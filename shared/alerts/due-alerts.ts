import type { SentAlerts } from '#shared/records';
import type { AlertLine } from './alert-texts.ts';
import { type Fact, factsOf, linesOf, type Situation } from './facts.ts';

export const NO_ALERTS_SENT: SentAlerts = { facts: [] };

/** Alerts to send now, and the stored facts after sending. */
export interface Due {
  readonly lines: readonly AlertLine[];
  readonly sent: SentAlerts;
  readonly added: readonly Fact[];
  readonly ended: readonly Fact[];
}

/**
 * Finds the facts that were not reported yet. A reported fact is not reported again while it holds, or before its
 * expiry.
 */
export function dueFacts(known: SentAlerts, situation: Situation): Due {
  const facts = factsOf(situation);
  const holding = keysOf(facts);
  const reported = keysOf(known.facts);
  const added = facts.filter(({ key }) => !reported.has(key));
  const [kept, ended] = split(
    known.facts,
    ({ key, untilMs = 0 }) => holding.has(key) || untilMs > situation.nowMs,
  );
  const sent = { facts: [...kept, ...added] };
  return { lines: linesOf({ added, ended }, situation), sent, added, ended };
}

/**
 * Removes the note of alerts that did not arrive, so that they are sent again. Keeps alerts that another sweep has sent
 * in the meantime.
 */
export function withoutUnsent(known: SentAlerts, { added, ended }: Pick<Due, 'added' | 'ended'>): SentAlerts {
  const unsent = keysOf([...added, ...ended]);
  return { facts: [...known.facts.filter(({ key }) => !unsent.has(key)), ...ended] };
}

function keysOf(facts: SentAlerts['facts']): ReadonlySet<string> {
  return new Set(facts.map(({ key }) => key));
}

function split<T>(all: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((item) => !isFirst(item))];
}
