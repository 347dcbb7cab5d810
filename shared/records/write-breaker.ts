import type { ObjectType } from '#shared/crm';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import type { WriteBreaker } from './schemas.ts';
import { writeBreakerKind } from './stored-kinds.ts';

/**
 * Breaker for HubSpot's refusals of paid values, by object type:
 *
 *   closed --a refusal--> counting --the third in a row--> open --probeAtMs--> one probe --written--> closed
 *
 * HubSpot names the property of a rule, but not the rule's condition. So the breaker keeps the traits that the refused
 * records share. While it is open, nothing more is bought for records with these traits; all others continue. A probe
 * that is refused too narrows the shared traits. A bought answer waits and is retried at no cost. The first one that is
 * written closes the breaker.
 */
const CLOSED: WriteBreaker = { refusals: 0 };
const MAX_REFUSALS = 3;

export interface WriteBreakers {
  /**
   * Decides whether a record of this type may be bought for. Among records like the refused ones, only one probe at a
   * time may.
   * @param valuesOf reads the record's values of these properties.
   */
  pass(
    objectType: ObjectType,
    valuesOf: (properties: readonly string[]) => Promise<Values>,
  ): Promise<{ readonly untilMs?: number | undefined; readonly what?: string | undefined }>;
  learn(objectType: ObjectType, lesson: WriteObservation): Promise<void>;
  /** Why purchases have stopped, and since when; `undefined` while the breaker is closed. */
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
  /** Possible causes: the record's choices, and the required properties with `''`. Empty: any record is refused. */
  readonly traits: Readonly<Record<string, string>>;
}

type Open = NonNullable<WriteBreaker['open']>;
/** `what`: a sentence for a person that names the refused writes. */
type OpenWriteBreaker = Open & { readonly what: string };

interface Services {
  readonly items: VersionedItems<WriteBreaker>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

export function createWriteBreakers({ items, clock }: Services): WriteBreakers {
  const decide = <D extends { readonly value?: WriteBreaker | undefined }>(
    objectType: ObjectType,
    by: (state: WriteBreaker) => D,
  ) =>
    change(items, { key: writeBreakerKind.key(objectType), kind: 'write breaker', clock }, (known) =>
      by(known ?? CLOSED),
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
  const isRefuted = shared !== undefined && written.some((values) => hasAll(values, shared));
  if (isRefuted) return refusals === 0 ? undefined : CLOSED;
  const last = refused.at(-1);
  if (!last) return undefined;
  const { reason } = last;
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
 * Probes at least hourly: the rule may hold for some records only, and new leads wait for it. A probe's answer is kept
 * in any case.
 */
function probeDelayMs(sinceMs: number, nowMs: number): number {
  return Math.min(HOUR_MS, refusalBackoffMs(sinceMs, nowMs));
}

/** Backoff after refusals: it grows with the time since the first one. */
export function refusalBackoffMs(sinceMs: number, nowMs: number): number {
  return Math.min(DAY_MS, Math.max(15 * MINUTE_MS, nowMs - sinceMs));
}
