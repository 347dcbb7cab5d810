import { type Crm, isAboutPerson, OBJECT_TYPES, type RecordName, recordKey } from '#shared/crm';
import type { Clock, Logger } from '#shared/kernel';
import { type ForgetServices, forgetPerson, recordsOfPerson } from '#shared/questions';
import {
  because,
  changeRecord,
  endOpenRun,
  type Journal,
  livingState,
  newRecordState,
  type OwnPortal,
  type RecordItems,
  type RecordState,
  recordKind,
} from '#shared/records';
import type { Reviews } from '#shared/review';

export const FORGOTTEN_REASON = because('forgotten');

interface ForgetRecordServices {
  readonly records: RecordItems;
  readonly journal: Pick<Journal, 'purge'>;
  readonly reviews: Pick<Reviews, 'purge'>;
  readonly clock: Clock;
}

/** Builds the services that erase a person's data, over the stores of the gateway and the records. */
export function createForgetting(
  services: Omit<ForgetServices, 'forgetRecord'> & ForgetRecordServices,
): ForgetServices {
  return { ...services, forgetRecord: (recordKey) => forgetRecord(services, recordKey) };
}

/**
 * Erases everything about a record, and about the records merged with it, except counts and a tombstone. Erases the
 * state first, so that no worker continues. Then erases the journal's values and the review items. It can be repeated.
 * @param key `contacts#123`
 * @returns the known identifiers of its person.
 */
export function forgetRecord(services: ForgetRecordServices, key: string): Promise<readonly string[]> {
  return identifiersThrough(key, (record) => forgetOne(services, record));
}

/** Returns the identifiers that `forgetRecord` would return. Changes nothing. */
function readIdentifiers(records: Pick<RecordItems, 'read'>, key: string): Promise<readonly string[]> {
  return identifiersThrough(key, async (record) => (await records.read(recordKind.key(record)))?.value);
}

async function identifiersThrough(
  key: string,
  visit: (record: RecordName) => Promise<RecordState | undefined>,
): Promise<readonly string[]> {
  const identifiers = new Set<string>();
  const keys = new Set([key]);
  for (const currentKey of keys) {
    const record = parseRecordKey(currentKey);
    if (!record) continue;
    const state = await visit(record);
    for (const identifier of state ? identifiersOf(state) : []) identifiers.add(identifier);
    for (const id of relatedTo(state)) keys.add(recordKey({ ...record, id }));
  }
  return [...identifiers];
}

/** Parses `contacts#123`. */
export function parseRecordKey(key: string): RecordName | undefined {
  const [type, id, ...rest] = key.split('#');
  const objectType = OBJECT_TYPES.find((each) => each === type);
  return objectType && id && rest.length === 0 ? { objectType, id } : undefined;
}

async function forgetOne(
  services: ForgetRecordServices,
  record: RecordName,
): Promise<RecordState | undefined> {
  const nowMs = services.clock.now();
  const forget = (known: RecordState) =>
    known.forgottenAtMs === undefined ? { known, state: forgottenState(known, nowMs) } : { known };
  const { known } = await changeRecord(services, record, forget, { isForgetting: true });
  await services.journal.purge(record, { runs: known.runsOpened, nowMs });
  await services.reviews.purge(record, known.run !== undefined);
  return known;
}

/**
 * Builds the tombstone. Keeps the counts and a backfill's costs. Also keeps the hashes, so that an interrupted erasure
 * can start from them again.
 */
function forgottenState(state: RecordState, nowMs: number): RecordState {
  const { objectType, id, runsOpened, run } = state;
  const { mergedInto, mergedFrom } = state;
  const identifiers = identifiersOf(state);
  const credits = run?.credits ?? 0;
  const { creditsSpent, doubts, outcomes, backfills } = endOpenRun(state, {
    reason: FORGOTTEN_REASON,
    nowMs,
  });
  return {
    ...newRecordState(objectType, id),
    runsOpened,
    creditsSpent,
    ...(doubts && { doubts }),
    outcomes,
    ...(backfills && { backfills }),
    outcome: { kind: 'skipped', reason: FORGOTTEN_REASON, atMs: nowMs, credits },
    ...(identifiers.length > 0 && { identifiers }),
    ...(mergedInto !== undefined && { mergedInto }),
    ...(mergedFrom && { mergedFrom }),
    forgottenAtMs: nowMs,
  };
}

/**
 * Returns the identifiers. The key of an answered question about a contact counts as an identifier, even if the state
 * has no others.
 */
function identifiersOf({ objectType, identifiers = [], answeredQuestion, run }: RecordState): string[] {
  const answered = [answeredQuestion, run?.answeredQuestion].filter((key) => key !== undefined);
  return [...new Set([...identifiers, ...(isAboutPerson({ objectType }) ? answered : [])])];
}

function relatedTo(state: RecordState | undefined): string[] {
  return [...(state?.mergedInto === undefined ? [] : [state.mergedInto]), ...(state?.mergedFrom ?? [])];
}

interface GoneServices extends LookServices {
  readonly records: RecordItems;
  readonly forgetting: ForgetServices;
  readonly logger: Logger;
}

interface GoneContacts {
  /** Contacts that were missing in two checks, one day apart. */
  readonly ids: readonly string[];
  /** Contacts that were already missing one day ago, including the contacts to check now. */
  readonly suspects: ReadonlySet<string>;
  readonly witness: string | undefined;
}

/**
 * Erases our data about contacts that are permanently deleted, as if their privacy deletion had arrived. If the same
 * person has another contact in HubSpot, archived or not, a user most likely deleted a duplicate. Then only the data
 * about the missing contact is erased. It can be repeated.
 * @returns `unclear` has the contacts for which HubSpot did not tell whether the person has another contact.
 */
export async function forgetGone(
  services: GoneServices,
  { ids, suspects, witness }: GoneContacts,
): Promise<{ readonly forgotten: number; readonly unclear: ReadonlySet<string> }> {
  const contacts: { readonly state: RecordState; readonly others: readonly string[] }[] = [];
  for (const id of ids) {
    const state = (await services.records.read(recordKind.key(contactOf(id))))?.value;
    // Includes contacts that are already marked as forgotten, because a crash may have interrupted the erasure. Their
    // identifiers are still stored.
    if (state) contacts.push({ state, others: await otherContacts(services, state) });
  }
  const otherIds = [...new Set(contacts.flatMap((contact) => contact.others))].slice(0, CONTACTS_IN_A_CHECK);
  const whereabouts =
    otherIds.length > 0 ? await findWhereabouts(services, { ids: otherIds, witness }) : undefined;
  const isInHubSpot = (id: string) => whereabouts?.living.has(id) || whereabouts?.archived.has(id);
  const unclear = new Set<string>();
  for (const contact of contacts) {
    const hasAnother = contact.others.some(isInHubSpot);
    const isAllGone = contact.others.every((id) => whereabouts?.gone.has(id) && suspects.has(id));
    if (hasAnother || isAllGone) await forgetContact(services, contact.state, { hasAnother });
    else unclear.add(contact.state.id);
  }
  return { forgotten: contacts.length - unclear.size, unclear };
}

async function forgetContact(
  { forgetting, logger }: GoneServices,
  state: RecordState,
  { hasAnother }: { readonly hasAnother: boolean },
): Promise<void> {
  const key = recordKey(state);
  // Logs first, because an alarm counts this event. After a crash, the contact may already be marked as forgotten, and
  // is then not logged.
  const isMissed = state.archivedSeenMs === undefined && state.forgottenAtMs === undefined;
  if (isMissed) logger.warn('privacy-deletion-missed', { recordId: key });
  const identifiers = await forgetting.forgetRecord(key);
  if (!hasAnother) await forgetPerson(forgetting, identifiers);
}

/** Returns the other contacts that erasing this person would reach, without merged and forgotten contacts. */
async function otherContacts(services: GoneServices, contact: RecordState): Promise<string[]> {
  const { forgetting, records } = services;
  const readOnly = { ...forgetting, forgetRecord: (key: string) => readIdentifiers(records, key) };
  const known = await readIdentifiers(records, recordKey(contact));
  const others = new Set<string>();
  for (const key of await recordsOfPerson(readOnly, known)) {
    const record = parseRecordKey(key);
    if (record === undefined || !isAboutPerson(record)) continue;
    const { id, forgottenAtMs } = await livingState({ records }, record);
    if (id !== contact.id && forgottenAtMs === undefined) others.add(id);
  }
  return [...others];
}

function contactOf(id: string): RecordName {
  return { objectType: 'contacts', id };
}

export interface LookServices {
  readonly crm: Pick<Crm, 'lookUp' | 'portalId' | 'pausedUntil'>;
  readonly portal: Pick<OwnPortal, 'known'>;
}

/** Sets of contacts by their state in HubSpot. If a contact is in none of the sets, HubSpot gave no clear answer. */
export interface Whereabouts {
  readonly living: ReadonlySet<string>;
  /** Contacts that a person deleted and can still restore. */
  readonly archived: ReadonlySet<string>;
  /** Contacts that HubSpot has neither as living nor as archived records. */
  readonly gone: ReadonlySet<string>;
  /** A contact that HubSpot returned, for the next check. */
  readonly witness: string | undefined;
}

/** Maximum number of contacts in a check. HubSpot accepts 100 ids in a request, and one of them is the witness. */
export const CONTACTS_IN_A_CHECK = 99;

const NONE: ReadonlySet<string> = new Set();

/**
 * Looks up contacts, in at most three requests. A contact counts as gone only if HubSpot itself names it as not found,
 * in both the normal and the archived read. These conditions must also hold:
 * - The access token belongs to our own portal.
 * - The same request returned another contact (the witness), so the token still has access to contacts.
 * - The request for the archive did not return the witness, so it searched only the archive.
 * @param ids at most `CONTACTS_IN_A_CHECK` ids.
 */
export async function findWhereabouts(
  services: LookServices,
  { ids, witness: known }: { readonly ids: readonly string[]; readonly witness: string | undefined },
): Promise<Whereabouts> {
  const { crm } = services;
  const allIds = [...new Set([...ids, ...(known === undefined ? [] : [known])])];
  const { found: living, notFound } = await crm.lookUp({
    objectType: 'contacts',
    ids: allIds,
    archived: false,
  });
  const witness = [...living].at(-1);
  const missing = ids.filter((id) => notFound.has(id));
  const unclear: Whereabouts = { living, archived: NONE, gone: NONE, witness };
  if (missing.length === 0 || witness === undefined || !(await isOwnPortal(services))) return unclear;
  const archive = await crm.lookUp({ objectType: 'contacts', ids: [...missing, witness], archived: true });
  if (!archive.notFound.has(witness)) return unclear;
  return {
    living,
    archived: new Set(missing.filter((id) => archive.found.has(id))),
    gone: new Set(missing.filter((id) => archive.notFound.has(id))),
    witness,
  };
}

/**
 * Whether the access token belongs to our own portal. Also false if the portal is not pinned yet, or the app has no
 * right to read the token's account.
 */
async function isOwnPortal({ crm, portal }: LookServices): Promise<boolean> {
  const own = await portal.known();
  return own !== undefined && own.portalId === (await crm.portalId());
}
