import type { ObjectType } from '#shared/crm';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import type { WriteBreaker } from './schemas.ts';
import { writeBreakerKind } from './stored-kinds.ts';

/**
 * Breaker for HubSpot's refusals of paid values, by object type:
 *
 * closed --a refusal--> counting --the third in a row--> open --probeAtMs--> one probe --written--> closed
 *
 * HubSpot names the property of a rule, but not the rule's condition. So the breaker keeps the traits that the refused
 * records share. While the breaker is open, nothing more is bought for records with these traits. All other records
 * continue. If a probe is also refused, the shared traits become fewer. A bought answer waits, and its write is retried
 * at no cost. The first such write that succeeds closes the breaker.
 */
const CLOSED: WriteBreaker = { refusals: 0 };
const MAX_REFUSALS = 3;

export interface WriteBreakers {
  /**
   * Decides whether credits can be spent for a record of this type. For records like the refused ones, only one probe
   * at a time is allowed.
   * @param valuesOf reads the record's values of the given properties.
   */
  pass(
    objectType: ObjectType,
    valuesOf: (properties: readonly string[]) => Promise<Values>,
  ): Promise<{ readonly untilMs?: number | undefined; readonly what?: string | undefined }>;
  learn(objectType: ObjectType, lesson: WriteObservation): Promise<void>;
  /** Returns why purchases have stopped, and since when; `undefined` while the breaker is closed. */
  open(objectType: ObjectType): Promise<OpenWriteBreaker | undefined>;
}

type Values = Readonly<Record<string, string | null>>;

/** Results of a batch of writes. */
export interface WriteObservation {
  /** Reads the values of these properties from the written records. */
  readonly writtenValues: (properties: readonly string[]) => Promise<readonly Values[]>;
  readonly refused: readonly WriteRefusal[];
}

export interface WriteRefusal {
  /** HubSpot's reason: codes and names of properties. */
  readonly reason: string;
  /**
   * Possible causes: the record's choices, and the required properties with `''`. If it is empty, any record is
   * refused.
   */
  readonly traits: Readonly<Record<string, string>>;
}

type Open = NonNullable<WriteBreaker['open']>;
/** `what` is a sentence for a person that names the refused writes. */
type OpenWriteBreaker = Open & { readonly what: string };

interface Services {
  readonly items: VersionedItems<WriteBreaker>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

export function createWriteBreakers({ items, clock }: Services): WriteBreakers {
  const decide = <D extends { readonly value?: WriteBreaker | undefined }>(
    objectType: ObjectType,
    decideOn: (state: WriteBreaker) => D,
  ) =>
    change(items, { key: writeBreakerKind.key(objectType), kind: 'write breaker', clock }, (known) =>
      decideOn(known ?? CLOSED),
    );
  const read = async (objectType: ObjectType) => (await items.read(writeBreakerKind.key(objectType)))?.value;
  return {
    pass: async (objectType, valuesOf) => {
      const { open, shared = {} } = (await read(objectType)) ?? CLOSED;
      if (!open || !hasAll(await valuesOf(Object.keys(shared)), shared)) return {};
      const { untilMs } = await decide(objectType, (state) => decideProbe(state, clock.now()));
      return untilMs === undefined ? {} : { untilMs, what: refusalOf(objectType, { shared, open }) };
    },
    learn: async (objectType, { writtenValues, refused }) => {
      const names = Object.keys(
        Object.assign({}, (await read(objectType))?.shared, ...refused.map(({ traits }) => traits)),
      );
      const written = await writtenValues(names);
      await decide(objectType, (state) => ({ value: nextBreaker(state, { written, refused }, clock.now()) }));
    },
    open: async (objectType) => {
      const { open, shared = {} } = (await read(objectType)) ?? CLOSED;
      return open && { ...open, what: refusalOf(objectType, { shared, open }) };
    },
  };
}

function hasAll(values: Values, shared: Readonly<Record<string, string>>): boolean {
  return Object.entries(shared).every(([property, value]) => (values[property] ?? '') === value);
}

interface Refused {
  readonly shared: Readonly<Record<string, string>>;
  readonly open: Pick<Open, 'reason'>;
}

function refusalOf(objectType: ObjectType, { shared, open: { reason } }: Refused): string {
  const names = Object.keys(shared);
  const required = names.filter((name) => shared[name] === '').join(', ');
  const choices = names.filter((name) => shared[name] !== '').map((name) => `${name}=${shared[name]}`);
  const which = required === '' ? `writes to ${objectType}` : `${objectType} without ${required}`;
  const also = choices.length > 0 ? ` So far these have ${choices.join(', ')}.` : '';
  return `HubSpot refuses ${which}: ${reason}.${also}`;
}

function decideProbe(
  { open, ...state }: WriteBreaker,
  nowMs: number,
): { readonly untilMs?: number; readonly value?: WriteBreaker } {
  if (!open) return {};
  if (nowMs < open.probeAtMs) return { untilMs: open.probeAtMs };
  return { value: { ...state, open: { ...open, probeAtMs: nowMs + probeDelayMs(open.sinceMs, nowMs) } } };
}

/** Returns the next state; `undefined` if it does not change. */
function nextBreaker(
  { refusals, shared: known, open }: WriteBreaker,
  { written, refused }: Pick<WriteObservation, 'refused'> & { readonly written: readonly Values[] },
  nowMs: number,
): WriteBreaker | undefined {
  const shared = refused.reduce((common, { traits }) => inCommon(common, traits), known);
  const isDisproved = shared !== undefined && written.some((values) => hasAll(values, shared));
  if (isDisproved) return refusals === 0 ? undefined : CLOSED;
  const lastRefusal = refused.at(-1);
  if (!lastRefusal) return undefined;
  const { reason } = lastRefusal;
  const counted = { refusals: refusals + refused.length, shared };
  if (open) return { ...counted, open: { ...open, reason } };
  if (counted.refusals < MAX_REFUSALS) return counted;
  return { ...counted, open: { reason, sinceMs: nowMs, probeAtMs: nowMs + probeDelayMs(nowMs, nowMs) } };
}

function inCommon(
  known: WriteBreaker['shared'],
  traits: WriteRefusal['traits'],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(traits).filter(([property, value]) => !known || known[property] === value),
  );
}

/**
 * Returns the delay before the next probe, at most an hour. The rule may apply to some records only, and new leads wait
 * for the probe. A probe's answer is kept even if HubSpot refuses it.
 */
function probeDelayMs(sinceMs: number, nowMs: number): number {
  return Math.min(HOUR_MS, refusalBackoffMs(sinceMs, nowMs));
}

/** Returns the backoff after refusals. It grows with the time since the first refusal. */
export function refusalBackoffMs(sinceMs: number, nowMs: number): number {
  return Math.min(DAY_MS, Math.max(15 * MINUTE_MS, nowMs - sinceMs));
}
