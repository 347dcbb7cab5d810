import type { Card, Evidence } from './evidence.ts';

interface Explained {
  readonly outcome?: { readonly kind?: string };
  readonly waiting?: { readonly reason: string; readonly until?: string };
  readonly isUnderWay?: boolean;
  readonly creditsSpent?: number;
  readonly refresh?: { readonly dueAt?: string };
  readonly forgottenAt?: string;
  readonly now?: Readonly<Record<string, string>>;
}

interface Spend {
  readonly stops?: readonly { readonly kind: string; readonly untilMs?: number }[];
}

/** `explain` and the card show the same facts of a record. No face names a time in the past for what is still to come. */
export function faceFaults({ told, endedAtMs }: Evidence): string[] {
  const { stops = [] }: Spend = JSON.parse(told.spend);
  return [
    ...told.records.flatMap(({ name, explained, card }) => {
      if (explained === undefined || card === undefined) return [];
      const shown: Explained = JSON.parse(explained);
      const { creditsSpent, standing, nextCheckAtMs, values } = card;
      const facts: readonly (readonly [fact: string, explain: unknown, card: unknown])[] = [
        ['total', shown.creditsSpent, creditsSpent],
        ['state', stateOf(shown), stateAtCard(standing)],
        ['next check', shown.refresh?.dueAt, nextCheckAtMs && isoTime(nextCheckAtMs)],
        ...values.map(({ property, now }) => [property, shown.now?.[property], now] as const),
      ];
      const differing = facts.filter(([, first, second]) => first !== second);
      return [
        ...differing.map((each) => `${name} has another ${each[0]} in explain and at the card: ${each}`),
        ...[shown.waiting?.until, ...estimatesOf(standing)].flatMap((atTime) =>
          atTime !== undefined && Date.parse(atTime) < endedAtMs ? [`${name} waits until ${atTime}`] : [],
        ),
      ];
    }),
    ...stops.flatMap(({ kind, untilMs = endedAtMs }) =>
      untilMs < endedAtMs ? [`the stop ${kind} ends in the past`] : [],
    ),
  ];
}

type Standing = Card['standing'];

function stateOf({ waiting, isUnderWay, outcome, forgottenAt }: Explained): string {
  if (forgottenAt !== undefined) return 'forgotten';
  if (waiting) return `waiting ${waiting.reason}`;
  return isUnderWay ? 'under-way' : `ended ${outcome?.kind}`;
}

/** A record that is only queued is in progress at the card. */
function stateAtCard(standing: Standing): string {
  if (standing.kind === 'waiting') return `waiting ${standing.reason}`;
  return standing.kind === 'ended' ? `ended ${standing.outcome?.kind}` : standing.kind;
}

function estimatesOf(standing: Standing): readonly string[] {
  if (standing.kind !== 'waiting') return [];
  const { until, untilMs, afterMs } = standing;
  return [afterMs, until === undefined ? untilMs : undefined].flatMap((ms) =>
    ms === undefined ? [] : isoTime(ms),
  );
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
