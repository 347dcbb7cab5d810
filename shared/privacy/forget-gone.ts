import { type RecordName, recordKey } from '#shared/crm';
import type { Logger } from '#shared/kernel';
import { type ForgetServices, forgetPerson, recordsOfPerson } from '#shared/questions';
import { livingState, type RecordItems, type RecordState, recordKind } from '#shared/records';
import { parseRecordKey, readIdentifiers } from './forget-record.ts';
import { CONTACTS_IN_A_CHECK, findWhereabouts, type LookServices } from './whereabouts.ts';

interface GoneServices extends LookServices {
  readonly records: RecordItems;
  readonly forgetting: ForgetServices;
  readonly logger: Logger;
}

export interface GoneContacts {
  /** Contacts that two checks, a day apart, found gone. */
  readonly ids: readonly string[];
  /** Contacts that were found gone a day ago or longer, including those to check now. */
  readonly suspects: ReadonlySet<string>;
  readonly witness: string | undefined;
}

/**
 * Forgets contacts that are gone for good, as if their privacy deletion had arrived. If the same person has another
 * contact in HubSpot, archived or not, only the missing contact is forgotten: most likely a person deleted a duplicate.
 * Safe to repeat.
 * @returns `unclear`: HubSpot did not say whether the person has another contact.
 */
export async function forgetGone(
  services: GoneServices,
  { ids, suspects, witness }: GoneContacts,
): Promise<{ readonly forgotten: number; readonly unclear: ReadonlySet<string> }> {
  const contacts: { readonly state: RecordState; readonly others: readonly string[] }[] = [];
  for (const id of ids) {
    const state = (await services.records.read(recordKind.key(contactOf(id))))?.value;
    // Includes contacts that are forgotten already: a crash may have interrupted it, and their identifiers are still
    // stored.
    if (state) contacts.push({ state, others: await otherContacts(services, state) });
  }
  const others = [...new Set(contacts.flatMap((one) => one.others))].slice(0, CONTACTS_IN_A_CHECK);
  const where = others.length > 0 ? await findWhereabouts(services, { ids: others, witness }) : undefined;
  const isThere = (id: string) => where?.living.has(id) || where?.archived.has(id);
  const unclear = new Set<string>();
  for (const one of contacts) {
    const hasAnother = one.others.some(isThere);
    const isAllGone = one.others.every((id) => where?.gone.has(id) && suspects.has(id));
    if (hasAnother || isAllGone) await forgetContact(services, one.state, { hasAnother });
    else unclear.add(one.state.id);
  }
  return { forgotten: contacts.length - unclear.size, unclear };
}

async function forgetContact(
  { forgetting, logger }: GoneServices,
  state: RecordState,
  { hasAnother }: { readonly hasAnother: boolean },
): Promise<void> {
  const key = recordKey(state);
  // Logged first, because an alarm counts it: after a crash the contact may already be forgotten, and is then not
  // counted again.
  const isMissed = state.archivedSeenMs === undefined && state.forgottenAtMs === undefined;
  if (isMissed) logger.warn('privacy-deletion-missed', { recordId: key });
  const identifiers = await forgetting.forgetRecord(key);
  if (!hasAnother) await forgetPerson(forgetting, identifiers);
}

/** Returns the contacts that forgetting this person would also reach, without merged and forgotten ones. */
async function otherContacts(services: GoneServices, contact: RecordState): Promise<string[]> {
  const { forgetting, records } = services;
  const readOnly = { ...forgetting, forgetRecord: (key: string) => readIdentifiers(records, key) };
  const known = await readIdentifiers(records, recordKey(contact));
  const others = new Set<string>();
  for (const key of await recordsOfPerson(readOnly, known)) {
    const record = parseRecordKey(key);
    if (record?.objectType !== 'contacts') continue;
    const { id, forgottenAtMs } = await livingState({ records }, record);
    if (id !== contact.id && forgottenAtMs === undefined) others.add(id);
  }
  return [...others];
}

function contactOf(id: string): RecordName {
  return { objectType: 'contacts', id };
}
