import { isAboutPerson, type RecordName, recordKey } from '#shared/crm';
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
