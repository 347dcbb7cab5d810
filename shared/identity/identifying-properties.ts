import type { ObjectType } from '#shared/crm';

/**
 * Properties, by object type, whose change may lead to another answer. The HubSpot app subscribes to these properties,
 * and the fingerprint covers them.
 */
export const WATCHED_PROPERTIES = {
  contacts: [
    'hs_linkedin_url',
    'email',
    'hs_additional_emails',
    'firstname',
    'lastname',
    'website',
    'phone',
    'mobilephone',
  ],
  companies: ['domain', 'website', 'linkedin_company_page'],
} as const satisfies Record<ObjectType, readonly string[]>;

/** Properties that identify a record: properties in a question, and properties that are compared with an answer. */
export const IDENTIFYING_PROPERTIES = {
  contacts: [
    ...WATCHED_PROPERTIES.contacts,
    'associatedcompanyid',
    'country',
    'hs_contact_enrichment_opt_out',
  ],
  companies: [...WATCHED_PROPERTIES.companies, 'name', 'hs_additional_domains'],
} as const satisfies Record<ObjectType, readonly string[]>;
