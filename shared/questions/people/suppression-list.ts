import {
  cleanPersonName,
  isFreeMailDomain,
  mailAddress,
  profileUrl,
  registrableDomain,
  toE164,
} from '#shared/identity';
import { type Clock, type Digest, SECOND_MS } from '#shared/kernel';
import { change, type ItemKey, type PlacedItems } from '#shared/store';
import type { Identifiers } from '#shared/vendor';
import { identityKey, identityOf, LOOKUPS, type QuestionOperation } from '../question.ts';
import type { SuppressionItem } from '../schemas.ts';
import { suppressionKind } from '../stored-kinds.ts';

/** Known identifiers of a person, not normalised. */
export interface PersonFacts {
  readonly emails?: readonly string[];
  readonly profileUrls?: readonly string[];
  readonly phones?: readonly string[];
  /** Names without a first or a last name are ignored. */
  readonly names?: readonly { readonly first: string; readonly last: string }[];
  /** Domains of the person's company. Domains of mail providers are ignored. */
  readonly domains?: readonly string[];
}

/**
 * Keyed hashes of a person's identifiers. Each hash is also the key of the question with this identifier. So earlier
 * questions are found without an index, and questions about forgotten people can be refused.
 */
export interface IdentifierKeys {
  /** From addresses and profiles, which belong to one person. */
  readonly sure: readonly string[];
  /** From phones and from names in a company. A phone may be a switchboard's, and two people may share a name. */
  readonly likely: readonly string[];
}

export const NO_IDENTIFIERS: IdentifierKeys = { sure: [], likely: [] };

export function identifierKeys(facts: PersonFacts, digest: Digest): IdentifierKeys {
  const keysOf = (identifiers: readonly Identifiers[]) =>
    identifiers.map((by) => identityKey('person', by, digest));
  const { emails = [], profileUrls = [], phones = [] } = facts;
  const addresses = emails.flatMap((email) => mailAddress(email)?.address ?? []);
  const byEmail = addresses.map((email) => ({ email }));
  const byProfile = profileUrls.map(profileUrl).flatMap((url) => (url ? [{ profileUrl: url }] : []));
  const byPhone = phones.map(numberOf).flatMap((phone) => (phone ? [{ phone }] : []));
  return {
    sure: unique(keysOf([...byEmail, ...byProfile])),
    likely: unique(keysOf([...byPhone, ...namedIn(facts, addresses)])),
  };
}

/** Whether a question identifies its person by an address or a profile, which belong to one person. */
export function namesPerson({ operation }: { readonly operation: QuestionOperation }): boolean {
  return LOOKUPS[operation].about === 'person' && LOOKUPS[operation].identifies;
}

/** All keys of a person, for lookups and for the suppression list. */
export function allKeys({ sure, likely }: IdentifierKeys): string[] {
  return [...sure, ...likely];
}

export function mergeKeys(...allDomains: readonly IdentifierKeys[]): IdentifierKeys {
  return {
    sure: unique(allDomains.flatMap(({ sure }) => sure)),
    likely: unique(allDomains.flatMap(({ likely }) => likely)),
  };
}

function numberOf(phone: string): string | undefined {
  const number = toE164(phone);
  return number?.includes('ext') ? undefined : number;
}

function namedIn({ names = [], domains = [] }: PersonFacts, addresses: readonly string[]) {
  const allDomains = [...domains, ...addresses.map((address) => address.slice(address.lastIndexOf('@') + 1))];
  const companies = allDomains.flatMap((domain) => registrableDomain(domain) ?? []);
  const companyDomains = unique(companies).filter((domain) => !isFreeMailDomain(domain));
  return companyDomains.flatMap((domain) =>
    names
      .map(({ first, last }) => ({ first: cleanPersonName(first).value, last: cleanPersonName(last).value }))
      .flatMap(({ first, last }) =>
        first === undefined || last === undefined ? [] : [{ domain, firstName: first, lastName: last }],
      ),
  );
}

function unique(keys: readonly string[]): string[] {
  return [...new Set(keys)];
}

export interface SuppressionListServices {
  readonly items: PlacedItems<SuppressionItem>;
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'monotonic'>;
}

/** The identifiers of forgotten people, who must not be looked up again. */
export interface SuppressionList {
  /** Returns the `keys` that are on the list, without a vendor's mark. While the list does not change, a check needs one read. */
  among(keys: readonly string[]): Promise<readonly string[]>;
  /** Like `among`, inside a work of the store: its writes are stored only if the list has not changed until then. */
  amongChecked(keys: readonly string[]): Promise<readonly string[]>;
  /** Like `among`, but uses a copy that is at most half a minute old. Usually needs no read. */
  lately(keys: readonly string[]): Promise<readonly string[]>;
  /** Adds `keys`. After it returns, every later `among` finds them, in any process. */
  add(keys: readonly string[]): Promise<void>;
}

/** 64 items of 400 KB hold 700,000 identifiers. */
const BUCKET_BITS = 6;
/**
 * Age of a copy that `lately` accepts. Each deletion is repeated later, which covers answers that were checked with an
 * old copy.
 */
const LATELY_MS = 30 * SECOND_MS;
const EPOCH = suppressionKind.key('epoch');

/**
 * The list is a set of items with hashes, and one item that counts changes. A process keeps its copy while the count
 * stays the same, so a check of a whole page costs one small read. The count rises after the hashes are written, so a
 * reader of the new count also reads the new hashes. A reader of the old count stored its data before, so the deletion
 * finds the data. The count is never lower than the time. So after the list is restored from a backup, its count
 * differs from every count that a process remembers.
 */
export function createSuppressionList({ items, clock }: SuppressionListServices): SuppressionList {
  const race = { kind: 'suppression list', clock };
  let known = {
    epoch: -1,
    seenAtMs: Number.NEGATIVE_INFINITY,
    buckets: new Map<ItemKey, ReadonlySet<string>>(),
  };
  const readBucket = async (bucket: ItemKey): Promise<ReadonlySet<string>> => {
    const stored = await items.read(bucket);
    return new Set(hashesIn(stored?.value));
  };
  let next: Promise<typeof known> | undefined;
  const learnEpoch = (item: SuppressionItem | undefined, seenAtMs: number) => {
    const epoch = epochIn(item);
    known = { epoch, seenAtMs, buckets: known.epoch === epoch ? known.buckets : new Map() };
    return known;
  };
  /** Reads the count. Callers of the same moment share one read, which starts after all of them have called. */
  const readEpoch = () => {
    next ??= Promise.resolve().then(async () => {
      next = undefined;
      const seenAtMs = clock.monotonic();
      return learnEpoch((await items.read(EPOCH))?.value, seenAtMs);
    });
    return next;
  };
  const listedKeys = async (keys: readonly string[], { epoch, buckets }: typeof known) => {
    if (epoch === 0) return [];
    const identities = keys.map(identityOf);
    const missing = [...new Set(identities.map(bucketOf))].filter((bucket) => !buckets.has(bucket));
    await Promise.all(missing.map(async (bucket) => buckets.set(bucket, await readBucket(bucket))));
    return identities.filter((key) => buckets.get(bucketOf(key))?.has(key));
  };
  return {
    among: async (keys) => {
      if (keys.length === 0) return [];
      return listedKeys(keys, await readEpoch());
    },
    amongChecked: async (keys) => {
      const seenAtMs = clock.monotonic();
      return listedKeys(keys, learnEpoch((await items.readChecked(EPOCH))?.value, seenAtMs));
    },
    lately: async (keys) =>
      listedKeys(keys, clock.monotonic() >= known.seenAtMs + LATELY_MS ? await readEpoch() : known),
    add: async (keys) => {
      const byBucket = Map.groupBy(new Set(keys.map(identityOf)), bucketOf);
      for (const [bucket, own] of byBucket) {
        await change(items, { ...race, key: bucket }, (item) => {
          const hashes = hashesIn(item);
          const added = own.filter((key) => !hashes.includes(key));
          if (added.length === 0) return {};
          return { value: { kind: 'hashes', hashes: [...hashes, ...added] } satisfies SuppressionItem };
        });
      }
      await change(items, { ...race, key: EPOCH }, (item) => ({
        value: { kind: 'epoch' as const, count: Math.max(epochIn(item) + 1, clock.now()) },
      }));
    },
  };
}

function hashesIn(item: SuppressionItem | undefined): readonly string[] {
  return item?.kind === 'hashes' ? item.hashes : [];
}

function epochIn(item: SuppressionItem | undefined): number {
  return item?.kind === 'epoch' ? item.count : 0;
}

/** Returns the bucket of a key. Keys are hexadecimal, but a key in another form also gets a bucket. */
function bucketOf(key: string): ItemKey {
  const number = Number.parseInt(key.slice(0, 2), 16);
  return suppressionKind.key((Number.isNaN(number) ? 0 : number) % 2 ** BUCKET_BITS);
}
