import { OBJECT_TYPE_ROWS, type RecordName } from '#shared/crm';
import { type Html, html } from '#shared/kernel';

/** The HubSpot whose pages the links open. */
export interface HubSpotSite {
  /** Our app's id. Absent if it is unknown, or if no app serves pages there. */
  readonly appId?: string | undefined;
  /** Address of the stand-in HubSpot; absent with the real one. */
  readonly standInUrl?: string | undefined;
}

/** Addresses of pages in HubSpot, or in its stand-in. */
export interface HubSpotPages {
  readonly record: (name: RecordName) => string;
  /** The app's home page, on which people decide. */
  readonly home?: string;
}

/**
 * HubSpot's developer documentation names the address of an app's home page ("App pages reference, App page URLs").
 * @param portalId account of HubSpot. While it is unknown, real pages have no address.
 */
export function hubSpotPages(
  { appId, standInUrl }: HubSpotSite,
  portalId: string | undefined,
): HubSpotPages | undefined {
  if (standInUrl !== undefined)
    return {
      record: ({ objectType, id }) => `${standInUrl}/screen/${objectType}/${encodeURIComponent(id)}`,
      ...(appId !== undefined && { home: `${standInUrl}/screen/home` }),
    };
  if (portalId === undefined) return undefined;
  const account = encodeURIComponent(portalId);
  return {
    record: ({ objectType, id }) => {
      const { typeId } = OBJECT_TYPE_ROWS[objectType];
      return `https://app.hubspot.com/contacts/${account}/record/${typeId}/${encodeURIComponent(id)}`;
    },
    ...(appId !== undefined && {
      home: `https://app.hubspot.com/app/${account}/${encodeURIComponent(appId)}`,
    }),
  };
}

/** Links to a page outside, in a new tab. */
export function outsideLink(address: string, words: string, label?: string): Html {
  const labelled = label === undefined ? undefined : html` aria-label="${label}"`;
  return html`<a href="${address}" target="_blank" rel="noreferrer noopener"${labelled}>${words}</a>`;
}
