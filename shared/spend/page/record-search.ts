import { OBJECT_TYPE_ROWS, OBJECT_TYPES, type ObjectType, type RecordName } from '#shared/crm';
import { type Html, html } from '#shared/kernel';
import { outsideLink } from './hubspot-pages.ts';
import type { Links } from './links.ts';

/** Shows a form that finds a record by its id in HubSpot. */
export function recordSearch(links: Links): Html {
  const fields = html`<label>Record <select name="type">${OBJECT_TYPES.map((type) => html`<option value="${type}">${kindOf(type)}</option>`)}</select></label>
<label>Record ID in HubSpot <input name="id" inputmode="numeric" pattern="[0-9]{1,20}" required></label>
`;
  return html`<section class="panel" aria-labelledby="find">
<h2 id="find">Find a record</h2>
${links.form('record', { fields, button: 'Look up' })}
</section>`;
}

function kindOf(type: ObjectType): string {
  const { singular } = OBJECT_TYPE_ROWS[type];
  return `${singular.slice(0, 1).toUpperCase()}${singular.slice(1)}`;
}

/** Returns, for example, `Contact 123`. */
export function recordName({ objectType, id }: RecordName): string {
  return `${kindOf(objectType)} ${id}`;
}

/** Links to the record in HubSpot; absent if the account is unknown. */
export function hubSpotLink(name: RecordName, { hubSpot }: Links): Html | undefined {
  return hubSpot && outsideLink(hubSpot.record(name), 'in HubSpot', `${recordName(name)} in HubSpot`);
}

/** Links to the app's home page in HubSpot; absent if its address is unknown. */
export function homeLink({ hubSpot }: Links, words = 'Home page in HubSpot'): Html | undefined {
  return hubSpot?.home === undefined ? undefined : outsideLink(hubSpot.home, words);
}
