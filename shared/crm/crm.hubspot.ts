import type { AccountDetails, BatchFailure, HubSpotClient, SearchFilter } from '#shared/hubspot';
import { type Clock, MINUTE_MS, UpstreamError } from '#shared/kernel';
import {
  type Crm,
  type CrmCompanies,
  type CrmFilter,
  type CrmWriteResult,
  type FoundCompany,
  isHubSpotFailure,
} from './crm.ts';
import { byObjectType, OBJECT_TYPE_ROWS, type ObjectType, type PropertyDefinitions } from './crm-record.ts';

interface KeptDefinitions {
  read(objectType: ObjectType): Promise<PropertyDefinitions>;
  kept(objectType: ObjectType): Promise<PropertyDefinitions> | undefined;
  forget(objectType: ObjectType): void;
}

interface ReadObject {
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * Reads the definitions again if records contradict the cached definitions. HubSpot returns null for a blank property,
 * and leaves out a property that does not exist. Without this check, a deleted property would count as blank while it
 * is cached.
 */
export function createDefinitionsCheck(definitions: KeptDefinitions) {
  /** Properties that records contradict although the definitions were just read. They cause no further read. */
  const knownContradictions = byObjectType(() => new Set<string>());
  const contradicted = (
    kept: PropertyDefinitions,
    asked: readonly string[],
    objects: readonly ReadObject[],
  ): string[] =>
    asked.filter((name) =>
      objects.some(({ properties }) => Object.hasOwn(properties, name) !== kept.has(name)),
    );
  return {
    refreshIfContradicted: async (
      objectType: ObjectType,
      asked: readonly string[],
      objects: readonly ReadObject[],
    ) => {
      const kept = await definitions.kept(objectType);
      if (!kept) return;
      const newContradictions = contradicted(kept, asked, objects).filter(
        (name) => !knownContradictions[objectType].has(name),
      );
      if (newContradictions.length === 0) return;
      definitions.forget(objectType);
      const fresh = await definitions.read(objectType);
      for (const name of contradicted(fresh, newContradictions, objects))
        knownContradictions[objectType].add(name);
    },
  };
}

/**
 * How long definitions are cached. Only administrators change definitions, and HubSpot refuses a value that no longer
 * fits.
 */
const DEFINITIONS_MS = 10 * MINUTE_MS;

export function createHubSpotCrm({ client, clock }: { client: HubSpotClient; clock: Clock }): Crm {
  const definitions = cachedByKey(clock, async (objectType: ObjectType): Promise<PropertyDefinitions> => {
    const listed = await client.listProperties(objectType);
    return new Map(listed.flatMap((one) => (one.archived ? [] : [[one.name, one]])));
  });
  const { refreshIfContradicted } = createDefinitionsCheck(definitions);
  // Without the scope for account information, the currency is unknown, and amounts are not written.
  const currency = cachedByKey(clock, async () => (await readAccount(client))?.companyCurrency);
  const crm = (untilMs?: number): Crm => ({
    until: crm,
    companies: companiesOf(client, untilMs),
    completeActions: client.completeCallbacks,
    read: async ({ historyOf: propertiesWithHistory = [], ...wanted }) => {
      const { objectType } = wanted;
      const { byAskedId, failed } = await client.readBatch({ ...wanted, propertiesWithHistory, untilMs });
      await refreshIfContradicted(objectType, wanted.properties, [...byAskedId.values()]);
      const records = [...byAskedId].map(([askedId, { id, properties, createdAtMs, updatedAtMs }]) => {
        return [askedId, { objectType, id, properties, createdAtMs, updatedAtMs }] as const;
      });
      return {
        records: new Map(records),
        failed: new Map(failed.map(({ id, reason }) => [id, reason])),
        history: new Map([...byAskedId].map(([askedId, { history = {} }]) => [askedId, history])),
      };
    },
    lookUp: (query) => client.lookUpIds({ ...query, untilMs }),
    portalId: async () => (await readAccount(client))?.portalId,
    write: async ({ objectType, writes }) => {
      const attempt = await client.updateBatch({ objectType, updates: writes, untilMs });
      if (attempt.kind === 'failed') {
        const { error } = attempt;
        if (!isHubSpotFailure(error)) throw error;
        return { ...attempt, error };
      }
      const { kind, updated, failed, untouched, unconfirmed } = attempt;
      const written = updated.map(({ id, properties }) => ({ kind: 'written' as const, id, properties }));
      return { kind, results: [...written, ...failed.map(toFailure)], untouched, unconfirmed };
    },
    pausedUntil: (lane) => client.pausedUntil(lane === 'bulk' ? 'bulk' : 'live'),
    history: async ({ objectType, records }) => {
      const asked = records.filter(({ properties }) => properties.length > 0);
      if (asked.length === 0) return new Map();
      const ids = asked.map(({ id }) => id);
      const propertiesWithHistory = [...new Set(asked.flatMap((each) => each.properties))];
      const request = { objectType, ids, properties: [], propertiesWithHistory, untilMs };
      const { byAskedId } = await client.readBatch(request);
      return new Map([...byAskedId].map(([askedId, { history = {} }]) => [askedId, history]));
    },
    definitions: definitions.read,
    currency: () => currency.read('account'),
    list: async ({ where, ...query }) => {
      const filters = where.map(searchFilterOf);
      const page = await client.search({ ...query, filters, properties: [] });
      return { ids: page.results.map(({ id }) => id), total: page.total };
    },
    createdBetween: async ({ fromMs, toMs, ...query }) => {
      const propertyName = OBJECT_TYPE_ROWS[query.objectType].createdProperty;
      const [value, highValue] = [String(fromMs), String(toMs)];
      const filters = [{ propertyName, operator: 'BETWEEN' as const, value, highValue }];
      const page = await client.search({ ...query, filters, properties: ['hs_object_source'] });
      return page.results.map(({ id, properties }) => ({
        id,
        source: properties['hs_object_source'] ?? '',
      }));
    },
  });
  return crm();
}

function searchFilterOf(filter: CrmFilter): SearchFilter {
  const { property: propertyName } = filter;
  if ('value' in filter) return { propertyName, operator: 'EQ', value: filter.value };
  if ('upToMs' in filter) return { propertyName, operator: 'LTE', value: String(filter.upToMs) };
  return { propertyName, operator: 'NOT_HAS_PROPERTY' };
}

interface CacheByKey<K, V> {
  read(key: K): Promise<V>;
  /** Returns the cached value, without a read. */
  kept(key: K): Promise<V> | undefined;
  forget(key: K): void;
}

/** Caches values by key. Failures are not cached. */
function cachedByKey<K, V>(clock: Clock, read: (key: K) => Promise<V>): CacheByKey<K, V> {
  const cache = new Map<K, { readonly at: number; readonly value: Promise<V> }>();
  const kept = (key: K) => {
    const fresh = cache.get(key);
    return fresh && clock.monotonic() - fresh.at < DEFINITIONS_MS ? fresh.value : undefined;
  };
  return {
    kept,
    forget: (key) => cache.delete(key),
    read: (key) => {
      const fresh = kept(key);
      if (fresh) return fresh;
      const value = read(key);
      cache.set(key, { at: clock.monotonic(), value });
      value.catch(() => cache.delete(key));
      return value;
    },
  };
}

/** @returns `undefined` if the app lacks the scope for account information. */
async function readAccount(client: HubSpotClient): Promise<AccountDetails | undefined> {
  try {
    return await client.accountDetails();
  } catch (error) {
    if (error instanceof UpstreamError && error.code === 'HUBSPOT_FORBIDDEN') return undefined;
    throw error;
  }
}

function toFailure(failure: BatchFailure): CrmWriteResult {
  const { id, reason, retryable, isLiftable } = failure;
  if (retryable) return { kind: 'postponed', id, reason };
  return {
    kind: 'refused',
    id,
    reason,
    properties: refusedProperties(failure),
    ...(isLiftable && { isLiftable }),
  };
}

/**
 * Returns the refused properties. For a conflict, HubSpot names no property, but only a contact's email is unique in
 * every account. HubSpot also does not name the property of an invalid email.
 */
function refusedProperties({ reason, properties, category }: BatchFailure): readonly string[] {
  if (properties.length > 0) return properties;
  return category === 'CONFLICT' || reason.includes('INVALID_EMAIL') ? ['email'] : [];
}

/**
 * Maximum length of the values in a search. HubSpot accepts 3,000 characters in a search, including the other parts of
 * the request.
 */
const MAX_VALUE_CHARS = 2_000;

/** @param untilMs deadline of the requests, epoch milliseconds. */
function companiesOf(client: HubSpotClient, untilMs: number | undefined): CrmCompanies {
  return {
    withDomains: async (domains) => {
      const found: FoundCompany[] = [];
      for (const values of inSearches(domains)) {
        const filters = [{ propertyName: 'domain', operator: 'IN' as const, values }];
        const query = { objectType: 'companies', filters, properties: FOUND_PROPERTIES, untilMs } as const;
        for await (const { id, properties } of client.searchAll(query))
          found.push({
            id,
            domain: properties['domain'] ?? '',
            additional: properties['hs_additional_domains']?.split(';') ?? [],
            parentId: properties['hs_parent_company_id'] || undefined,
          });
      }
      return found;
    },
    ofContacts: (contactIds) => client.contactsWithCompany({ contactIds, untilMs }),
    associate: async (memberships) => {
      const refused = await client.associateContacts({ associations: memberships, untilMs });
      return new Map([...refused].map(([{ contactId }, reason]) => [contactId, reason]));
    },
    create: async ({ name, domain }) => {
      const properties = { name, domain };
      return (await client.createRecord({ objectType: 'companies', properties, untilMs })).id;
    },
  };
}

const FOUND_PROPERTIES = ['domain', 'hs_additional_domains', 'hs_parent_company_id'];

/** Splits domains into searches. HubSpot compares whole texts, so each domain is searched with and without `www.`. */
function inSearches(domains: readonly string[]): string[][] {
  const searches: string[][] = [];
  let leftChars = 0;
  for (const domain of new Set(domains)) {
    const values = [domain, `www.${domain}`];
    const chars = values.reduce((sum, value) => sum + value.length + '"",'.length, 0);
    if (chars > leftChars) {
      searches.push([]);
      leftChars = MAX_VALUE_CHARS;
    }
    searches.at(-1)?.push(...values);
    leftChars -= chars;
  }
  return searches;
}
