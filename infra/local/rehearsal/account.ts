import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import type { HttpRequest, Send } from '#shared/http';
import { API_VERSION } from '#shared/hubspot';
import { type Clock, parseJson, SECOND_MS } from '#shared/kernel';

/** An answer exactly as HubSpot sent it. A rehearsal checks headers and unusual formats, which our client hides. */
export interface RawAnswer {
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` if the body is not JSON. */
  readonly json: unknown;
  readonly tookMs: number;
}

/** Read access to the account. With only this access, a step changes nothing; it changes only records of its own. */
export interface ReadAccount {
  get(path: string): Promise<RawAnswer>;
  /** Sends a `POST` that changes nothing. @param once returns a 429 at once, instead of waiting and retrying */
  query(path: string, body: unknown, once?: 'once'): Promise<RawAnswer>;
  tokenInfo(): Promise<RawAnswer>;
  /** Time of the slowest answer so far, in milliseconds. */
  slowestMs(): number;
}

export interface WriteAccount extends ReadAccount {
  write(path: string, body: unknown): Promise<RawAnswer>;
}

export interface AccountAccess {
  readonly send: Send;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly accessToken: string;
}

/** Longer than the timeout of our client, so that a slow answer is measured. */
const TIMEOUT_MS = 30 * SECOND_MS;
const LIMIT_PAUSE_MS = 10 * SECOND_MS;
const ATTEMPTS = 4;

export const OBJECTS = `/crm/objects/${API_VERSION}`;
export const ASSOCIATIONS = `/crm/associations/${API_VERSION}`;
const TOKEN_INFO = '/oauth/v2/private-apps/get/access-token-info';
const CHANGES_NOTHING = /\/(?:search|batch\/read)(?:\?archived=true)?$/;

export function openAccount(
  { send, clock, baseUrl, accessToken }: AccountAccess,
  signal?: AbortSignal,
): WriteAccount {
  let slowestMs = 0;
  const once = async (method: string, path: string, body?: unknown): Promise<RawAnswer> => {
    signal?.throwIfAborted();
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const request: HttpRequest = {
      method,
      url: `${baseUrl}${path}`,
      headers,
      timeoutMs: TIMEOUT_MS,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const startedMs = clock.monotonic();
    const { status, headers: answered, body: text } = await send(request);
    const tookMs = clock.monotonic() - startedMs;
    slowestMs = Math.max(slowestMs, tookMs);
    return usableAnswer({ status, headers: answered, json: parseJson(text), tookMs });
  };
  const patient = async (method: string, path: string, body?: unknown): Promise<RawAnswer> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await once(method, path, body);
      if (answer.status !== 429 || attempt === ATTEMPTS) return answer;
      await clock.sleep(LIMIT_PAUSE_MS, signal);
    }
  };
  return {
    get: (path) => patient('GET', path),
    query: async (path, body, how) =>
      how === 'once' ? once('POST', harmless(path), body) : patient('POST', harmless(path), body),
    tokenInfo: () => patient('POST', TOKEN_INFO, { tokenKey: accessToken }),
    write: (path, body) => patient('POST', path, body),
    slowestMs: () => slowestMs,
  };
}

function harmless(path: string): string {
  if (CHANGES_NOTHING.test(path)) return path;
  throw new Error(`${path} may change something.`);
}

/** The step cannot continue. The reason contains only statuses and codes. */
export class StepStopped extends Error {}

/** The token is no longer valid, so no later step can run. */
export class TokenRefused extends StepStopped {}

/**
 * Returns the answer. Throws for a refused token or an outage, because these do not show whether an assumption is true.
 */
function usableAnswer(answer: RawAnswer): RawAnswer {
  if (answer.status === 401) throw new TokenRefused(refusalWords(answer));
  if (answer.status >= 500) throw new StepStopped(refusalWords(answer));
  return answer;
}

/** @throws StepStopped if the answer has another status */
export function expectStatus(answer: RawAnswer, ...statuses: readonly number[]): RawAnswer {
  if (statuses.includes(answer.status)) return answer;
  throw new StepStopped(refusalWords(answer));
}

/** Returns only codes, such as `HTTP 403 MISSING_SCOPES`, because a message could contain values. */
function refusalWords({ status, json }: RawAnswer): string {
  const label = isRecord(json) ? (json['category'] ?? json['errorType']) : undefined;
  const isCode = typeof label === 'string' && /^[A-Z_]{3,40}$/.test(label);
  return isCode ? `HTTP ${status} ${label}` : `HTTP ${status}`;
}

/** Text in a property of every record that a rehearsal creates. `rehearse clean` searches for it. */
export const MARK = 'crm-enrichment rehearsal';
/** Domain of all made-up addresses and domains. It is reserved for examples (RFC 2606). */
const DOMAIN = 'crm-enrichment-rehearsal.example.com';
const MARKED_PROPERTY = { contacts: 'lastname', companies: 'name' } as const;
const NAMING_PROPERTY = { contacts: 'email', companies: 'domain' } as const;
/** HubSpot's limit for a batch. */
const BATCH_MOST = 100;

export interface OwnRecord {
  readonly objectType: ObjectType;
  readonly id: string;
}

type Properties = Readonly<Record<string, string>>;

interface OwnInput {
  readonly properties: Properties;
  readonly objectWriteTraceId?: string;
}

/**
 * All writes of a rehearsal go through this interface. It adds the mark to every record that it creates, and refuses
 * to change other records.
 */
export interface OwnRecords {
  /** @returns the record's id */
  createOne(objectType: ObjectType, properties: Properties): Promise<string>;
  create(objectType: ObjectType, inputs: readonly OwnInput[]): Promise<RawAnswer>;
  update(objectType: ObjectType, inputs: readonly (OwnInput & { readonly id: string })[]): Promise<RawAnswer>;
  /** @returns the id of the merged record */
  merge(objectType: ObjectType, ids: { readonly primary: string; readonly other: string }): Promise<string>;
  associate(ids: { readonly contact: string; readonly company: string }): Promise<RawAnswer>;
  archiveContact(id: string): Promise<RawAnswer>;
  eraseForPrivacy(id: string): Promise<RawAnswer>;
  address(name: string): string;
  domain(name: string): string;
}

interface OwnRecordLog {
  /** Called with the whole list before a creation is sent, and after its answer. */
  keep(records: readonly OwnRecord[], isCreating: boolean): void;
}

interface Owning {
  readonly account: WriteAccount;
  readonly owned: OwnRecord[];
  readonly log: OwnRecordLog;
}

export function openOwnRecords(owning: Owning, run: string): OwnRecords {
  const { account, owned, log } = owning;
  const own = (objectType: ObjectType, id: string) => {
    if (owned.some((each) => each.objectType === objectType && each.id === id)) return id;
    throw new Error('A rehearsal touches only records that it made.');
  };
  const create = async (objectType: ObjectType, inputs: readonly OwnInput[]) => {
    const marked = inputs.map((input) => ({
      ...input,
      properties: { ...input.properties, [MARKED_PROPERTY[objectType]]: MARK },
    }));
    log.keep(owned, true);
    const answer = await account.write(`${OBJECTS}/${objectType}/batch/create`, { inputs: marked });
    adopt(owning, objectType, listOf(answer.json, 'results'));
    log.keep(owned, false);
    return answer;
  };
  return {
    create,
    createOne: async (objectType, properties) => {
      const answer = expectStatus(await create(objectType, [{ properties }]), 201);
      return jsonText(listOf(answer.json, 'results')[0], 'id') ?? '';
    },
    update: (objectType, inputs) => {
      for (const { id } of inputs) own(objectType, id);
      return account.write(`${OBJECTS}/${objectType}/batch/update`, { inputs });
    },
    merge: async (objectType, { primary, other }) => {
      const body = { primaryObjectId: own(objectType, primary), objectIdToMerge: own(objectType, other) };
      log.keep(owned, true);
      const answer = expectStatus(await account.write(`${OBJECTS}/${objectType}/merge`, body), 200, 201);
      adopt(owning, objectType, [{ id: jsonText(answer.json, 'id') }]);
      log.keep(owned, false);
      return jsonText(answer.json, 'id') ?? '';
    },
    associate: ({ contact, company }) => {
      const pair = { from: { id: own('contacts', contact) }, to: { id: own('companies', company) } };
      return account.write(`${ASSOCIATIONS}/contacts/companies/batch/associate/default`, { inputs: [pair] });
    },
    archiveContact: async (id) => {
      await adoptCompaniesOf(owning, own('contacts', id));
      return archiveAll(account, 'contacts', [id]);
    },
    eraseForPrivacy: async (id) => {
      await adoptCompaniesOf(owning, own('contacts', id));
      return account.write(`${OBJECTS}/contacts/gdpr-delete`, { objectId: id });
    },
    address: (name) => `${name}@${run}.${DOMAIN}`,
    domain: (name) => `${name}-${run}.${DOMAIN}`,
  };
}

function adopt({ owned }: Owning, objectType: ObjectType, results: readonly JsonRecord[]): void {
  for (const result of results) {
    const id = jsonText(result, 'id');
    const isKnown = owned.some((each) => each.objectType === objectType && each.id === id);
    if (id !== undefined && !isKnown) owned.push({ objectType, id });
  }
}

/**
 * Adds companies that HubSpot created for a contact. They must be added before the contact is removed, because they
 * cannot be found afterwards.
 */
async function adoptCompaniesOf(owning: Owning, contact: string): Promise<void> {
  const made = await companiesMadeFor(owning.account, [contact]);
  adopt(
    owning,
    'companies',
    made.map((id) => ({ id })),
  );
  owning.log.keep(owning.owned, false);
}

export async function removeOwn(
  account: WriteAccount,
  records: readonly OwnRecord[],
): Promise<{ readonly found: readonly OwnRecord[]; readonly left: readonly OwnRecord[] }> {
  const contacts = idsOf(records, 'contacts');
  const made = await companiesMadeFor(account, contacts);
  const companies = [...new Set([...idsOf(records, 'companies'), ...made])];
  const [found, left]: [OwnRecord[], OwnRecord[]] = [[], []];
  for (const [objectType, ids] of [
    ['contacts', contacts],
    ['companies', companies],
  ] as const) {
    const live = await liveIds(account, objectType, ids);
    for (const id of live) found.push({ objectType, id });
    if (live.length > 0) await archiveAll(account, objectType, live);
    for (const id of await liveIds(account, objectType, live)) left.push({ objectType, id });
  }
  return { found, left };
}

function idsOf(records: readonly OwnRecord[], objectType: ObjectType): string[] {
  return records.filter((each) => each.objectType === objectType).map(({ id }) => id);
}

async function archiveAll(account: WriteAccount, objectType: ObjectType, ids: readonly string[]) {
  const inputs = ids.slice(0, BATCH_MOST).map((id) => ({ id }));
  return expectStatus(await account.write(`${OBJECTS}/${objectType}/batch/archive`, { inputs }), 204);
}

/** Reads the ids of existing records, without merged and removed ones. */
async function liveIds(account: WriteAccount, objectType: ObjectType, ids: readonly string[]) {
  const live = await readLive(account, objectType, ids);
  return live.map(({ id }) => id);
}

interface LiveRecord {
  readonly id: string;
  readonly createdAtMs: number;
}

async function readLive(
  account: WriteAccount,
  objectType: ObjectType,
  ids: readonly string[],
): Promise<readonly LiveRecord[]> {
  if (ids.length === 0) return [];
  const inputs = ids.slice(0, BATCH_MOST).map((id) => ({ id }));
  const body = { inputs, properties: ['hs_object_id'] };
  const answer = expectStatus(await account.query(`${OBJECTS}/${objectType}/batch/read`, body), 200, 207);
  const found = listOf(answer.json, 'results').flatMap((result): [string, LiveRecord][] => {
    const id = jsonText(result, 'id');
    const createdAtMs = Date.parse(jsonText(result, 'createdAt') ?? '');
    return id === undefined ? [] : [[id, { id, createdAtMs }]];
  });
  return [...new Map(found).values()];
}

/**
 * Finds companies that HubSpot created for our contacts. Such a company is associated with one of them and is not
 * older.
 */
async function companiesMadeFor(
  account: WriteAccount,
  contacts: readonly string[],
): Promise<readonly string[]> {
  const live = await readLive(account, 'contacts', contacts);
  if (live.length === 0) return [];
  const inputs = live.map(({ id }) => ({ id }));
  const answer = await account.query(`${ASSOCIATIONS}/contacts/companies/batch/read`, { inputs });
  const associated = listOf(answer.json, 'results').flatMap((result) =>
    listOf(result, 'to').map(({ toObjectId }) => String(toObjectId)),
  );
  const firstMs = Math.min(...live.map(({ createdAtMs }) => createdAtMs));
  const companies = await readLive(account, 'companies', [...new Set(associated)]);
  return companies.filter(({ createdAtMs }) => createdAtMs >= firstMs).map(({ id }) => id);
}

/** Finds records that an interrupted rehearsal left, by their mark and their made-up address or domain. */
export async function findMarked(account: WriteAccount): Promise<readonly OwnRecord[]> {
  const found: OwnRecord[] = [];
  for (const objectType of OBJECT_TYPES) {
    const [marked, naming] = [MARKED_PROPERTY[objectType], NAMING_PROPERTY[objectType]];
    const filters = [{ propertyName: marked, operator: 'EQ', value: MARK }];
    const body = { filterGroups: [{ filters }], properties: [marked, naming], limit: BATCH_MOST };
    const answer = expectStatus(await account.query(`${OBJECTS}/${objectType}/search`, body), 200);
    for (const result of listOf(answer.json, 'results')) {
      const isOurs =
        jsonText(result, 'properties', marked) === MARK &&
        jsonText(result, 'properties', naming)?.toLowerCase().includes(DOMAIN) === true;
      const id = jsonText(result, 'id');
      if (isOurs && id !== undefined) found.push({ objectType, id });
    }
  }
  return found;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at this path of keys. `undefined` if a key is missing. */
export function partOf(value: unknown, ...keys: readonly string[]): unknown {
  let part = value;
  for (const key of keys) part = isRecord(part) ? part[key] : undefined;
  return part;
}

/** The objects of the list at this path of keys. Empty if there is no list. */
export function listOf(value: unknown, ...keys: readonly string[]): readonly JsonRecord[] {
  const part = partOf(value, ...keys);
  return Array.isArray(part) ? part.filter(isRecord) : [];
}

export function jsonText(value: unknown, ...keys: readonly string[]): string | undefined {
  const part = partOf(value, ...keys);
  return typeof part === 'string' ? part : undefined;
}

/** Quotes the text only if it is a code, because any other text could be a value. */
export function codeOf(value: unknown): string {
  return typeof value === 'string' && /^[A-Z_]{2,40}$/.test(value) ? value : 'no code';
}
