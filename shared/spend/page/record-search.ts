import { OBJECT_TYPES, type RecordName } from '#shared/crm';
import { type Html, html } from '#shared/kernel';
import type { Links } from './links.ts';

/** Shows a form that finds a record by its id in HubSpot. */
export function recordSearch(links: Links): Html {
  const fields = html`<label>Record <select name="type">${OBJECT_TYPES.map((type) => html`<option value="${type}">${KINDS[type]}</option>`)}</select></label>
<label>Record ID in HubSpot <input name="id" inputmode="numeric" pattern="[0-9]{1,20}" required></label>
`;
  return html`<section class="panel" aria-labelledby="find">
<h2 id="find">Find a record</h2>
${links.form('record', { fields, button: 'Look up' })}
</section>`;
}

const KINDS = { contacts: 'Contact', companies: 'Company' } as const;

/** Returns, for example, `Contact 123`. */
export function recordName({ objectType, id }: RecordName): string {
  return `${KINDS[objectType]} ${id}`;
}

export function hubSpotAddress({ objectType, id }: RecordName, portalId: string): string {
  const type = objectType === 'contacts' ? '0-1' : '0-2';
  return `https://app.hubspot.com/contacts/${encodeURIComponent(portalId)}/record/${type}/${encodeURIComponent(id)}`;
}

/** Links to the record in HubSpot; absent if the account is unknown. */
export function hubSpotLink(name: RecordName, portalId: string | undefined): Html | undefined {
  if (portalId === undefined) return undefined;
  const address = hubSpotAddress(name, portalId);
  return html`<a href="${address}" target="_blank" rel="noreferrer noopener" aria-label="${recordName(name)} in HubSpot">in HubSpot</a>`;
}
