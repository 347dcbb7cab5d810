import type { Portal } from '../portal.ts';
import type { StoredRecord } from '../state.ts';
import { associate } from './associations.ts';
import { readValue } from './record-view.ts';
import { createRecord, liveRecords } from './records.ts';

const FREE_MAIL = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'yahoo.com',
  'icloud.com',
  'gmx.de',
];

/** Creates and associates a company for the domain of a new contact's address, if the account's setting says so. */
export function companyFromEmail(portal: Portal, contact: StoredRecord): void {
  if (!portal.state.settings.associateByEmailDomain || contact.typeId !== '0-1') return;
  const domain = readValue(portal, { record: contact, name: 'hs_email_domain' });
  if (domain === '' || FREE_MAIL.includes(domain)) return;
  const actor = { sourceType: 'AUTO_ASSOCIATE_BY_DOMAIN', sourceId: 'CompanyFromEmail' };
  const company =
    liveRecords(portal, '0-2').find((one) => readValue(portal, { record: one, name: 'domain' }) === domain) ??
    createRecord(portal, { typeId: '0-2', values: { domain, name: domain }, actor });
  associate(portal, { contactId: contact.id, companyId: company.id, actor });
}
