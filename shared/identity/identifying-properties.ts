import type { ObjectType } from '#shared/crm';

/**
 * The properties whose change by a person may make another answer possible, by object type: the HubSpot app subscribes
 * to them, and the fingerprint is made of them.
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

/** The properties that show who or what a record is: those of a question, and those that are held against an answer. */
export const IDENTIFYING_PROPERTIES = {
  contacts: [
    ...WATCHED_PROPERTIES.contacts,
    'associatedcompanyid',
    'country',
    'hs_contact_enrichment_opt_out',
  ],
  companies: [...WATCHED_PROPERTIES.companies, 'name', 'hs_additional_domains'],
} as const satisfies Record<ObjectType, readonly string[]>;
