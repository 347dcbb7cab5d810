import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { type BreakerState, STOP_SENTENCES, withoutOldKey } from '#shared/questions';
import { remedyFor } from '#shared/spend';

/** What keeps records from being enriched until somebody does something, or until it passes. */
export type StopName = keyof typeof STOP_SENTENCES | ReturnType<typeof refusedName>;

const FOR_ALL_QUESTIONS: typeof STOP_SENTENCES = {
  ...STOP_SENTENCES,
  'out-of-credits': "The data service's own balance does not pay for every question.",
};

function refusedName(objectType: ObjectType): `writes-refused-${ObjectType}` {
  return `writes-refused-${objectType}`;
}

export type WriteRefusals = Readonly<Partial<Record<ObjectType, string>>>;

export function stopNames(
  breakers: BreakerState,
  { nowMs, refusals }: { readonly nowMs: number; readonly refusals: WriteRefusals },
): StopName[] {
  const { keyRefused, outOfCredits, overcharged, doubtful, stopped } = withoutOldKey(breakers, nowMs);
  return [
    ...(stopped ? (['stopped-by-person'] as const) : []),
    ...(keyRefused ? [keyRefused.why ?? ('key-refused' as const)] : []),
    ...(outOfCredits ? (['out-of-credits'] as const) : []),
    ...(overcharged ? (['charges-above-list'] as const) : []),
    ...(doubtful ? (['too-many-doubts'] as const) : []),
    ...OBJECT_TYPES.filter((type) => refusals[type] !== undefined).map(refusedName),
  ];
}

/** @param refusals what HubSpot refuses, by object type. */
export function sentenceOfStop(stop: StopName, stack: string, refusals: WriteRefusals): string {
  const refused = OBJECT_TYPES.find((type) => stop === refusedName(type));
  const kind = isOfDataService(stop) ? stop : 'writes-refused';
  const what = (refused && refusals[refused]) ?? reasonOf(stop);
  return `Stopped: ${what} ${remedyFor(kind, stack).whatToDo}`;
}

/** @param stop a `StopName`, as it was stored */
export function endOfStop(stop: string): string {
  return `No longer stopped: ${reasonOf(stop)}`;
}

function reasonOf(stop: string): string {
  if (isOfDataService(stop)) return FOR_ALL_QUESTIONS[stop];
  return `HubSpot refuses what was bought for ${OBJECT_TYPES.find((type) => stop === refusedName(type))}.`;
}

function isOfDataService(stop: string): stop is keyof typeof STOP_SENTENCES {
  return Object.hasOwn(STOP_SENTENCES, stop);
}
