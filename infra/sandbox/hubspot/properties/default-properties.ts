import type { ObjectTypeId } from '../objects/object-types.ts';
import { INDUSTRIES } from './industries.ts';
import {
  bool,
  choice,
  choices,
  dateTime,
  hubspotProperty as has,
  number,
  type PropertyDefinition,
  type PropertyGroup,
  phone,
  readOnly,
  textArea,
} from './property-definition.ts';

/** Stages in the order of the funnel. The API moves a record only forward. */
export const LIFECYCLE_STAGES = [
  'subscriber',
  'lead',
  'marketingqualifiedlead',
  'salesqualifiedlead',
  'opportunity',
  'customer',
  'evangelist',
  'other',
];

const LEAD_STATUSES = ['NEW', 'OPEN', 'IN_PROGRESS', 'OPEN_DEAL', 'UNQUALIFIED', 'CONNECTED', 'BAD_TIMING'];
const SENIORITIES = [
  'owner',
  'partner',
  'executive',
  'vp',
  'director',
  'manager',
  'senior',
  'employee',
  'entry',
];
const ROLES = [
  'accounting',
  'administrative',
  'business_development',
  'consulting',
  'customer_service',
  'design',
  'education',
  'engineering',
  'finance',
  'human_resources',
  'information_technology',
  'legal',
  'marketing',
  'operations',
  'product_management',
  'sales',
];

/** Properties of a new account that matter to an enrichment, by name. */
export function defaultProperties(typeId: ObjectTypeId): Record<string, PropertyDefinition> {
  const groupName = typeId === '0-1' ? 'contactinformation' : 'companyinformation';
  const own = typeId === '0-1' ? contactProperties() : companyProperties();
  return Object.fromEntries([...own, ...sharedProperties()].map((one) => [one.name, { ...one, groupName }]));
}

export function defaultPropertyGroups(typeId: ObjectTypeId): Record<string, PropertyGroup> {
  const singular = typeId === '0-1' ? 'contact' : 'company';
  const label = `${singular === 'contact' ? 'Contact' : 'Company'} information`;
  const name = `${singular}information`;
  return { [name]: { name, label, displayOrder: 0, archived: false } };
}

/** Properties of contacts. A name can have another type on companies: industry, annualrevenue. */
function contactProperties(): PropertyDefinition[] {
  return [
    has('email', 'Email', { hasUniqueValue: true }),
    has('hs_additional_emails', 'Additional email addresses', choices([])),
    has('hs_email_domain', 'Email Domain', readOnly({ calculated: true })),
    has('firstname', 'First Name'),
    has('lastname', 'Last Name'),
    has('salutation', 'Salutation'),
    has('jobtitle', 'Job Title'),
    has('company', 'Company Name'),
    has('associatedcompanyid', 'Primary Associated Company ID', readOnly(number())),
    has('website', 'Website URL'),
    has('phone', 'Phone Number', phone()),
    has('mobilephone', 'Mobile Phone Number', phone()),
    has('fax', 'Fax Number'),
    has('address', 'Street Address'),
    has('city', 'City'),
    has('state', 'State/Region'),
    has('zip', 'Postal Code'),
    has('country', 'Country/Region'),
    has('hs_state_code', 'State/Region Code'),
    has('hs_country_region_code', 'Country/Region Code'),
    has('hs_linkedin_url', 'LinkedIn URL'),
    has('hs_linkedinid', 'LinkedIn Id'),
    has('linkedinbio', 'LinkedIn Bio', textArea()),
    has('twitterhandle', 'Twitter Username'),
    has('industry', 'Industry'),
    has('annualrevenue', 'Annual Revenue'),
    has(
      'numemployees',
      'Number of Employees',
      choice(['1-5', '5-25', '25-50', '50-100', '100-500', '500-1000', '1000+']),
    ),
    has('seniority', 'Seniority'),
    has('job_function', 'Job function'),
    has('start_date', 'Start Date'),
    has('work_email', 'Work Email'),
    has('hs_seniority', 'Employment Seniority', choice(SENIORITIES)),
    has('hs_role', 'Employment Role', choice(ROLES)),
    has(
      'hs_sub_role',
      'Employment Sub Role',
      choice(['account_executive', 'backend', 'content', 'recruiting', 'support']),
    ),
    has('hs_persona', 'Persona', choice(['persona_1', 'persona_2'])),
    has('hs_timezone', 'Time Zone', choice(['us_slash_eastern', 'us_slash_pacific', 'europe_slash_berlin'])),
    has('hs_lead_status', 'Lead Status', choice(LEAD_STATUSES)),
    has('hs_contact_enrichment_opt_out', 'Contact enrichment opt out', bool()),
    has('hs_legal_basis', "Legal basis for processing contact's data", choices(LEGAL_BASES, labelled)),
    has('message', 'Message', textArea()),
    has('num_unique_conversion_events', 'Number of Unique Forms Submitted', readOnly(number())),
    has('lastmodifieddate', 'Last Modified Date', readOnly(dateTime())),
  ];
}

function companyProperties(): PropertyDefinition[] {
  return [
    has('name', 'Company name'),
    has('domain', 'Company Domain Name'),
    has('hs_additional_domains', 'Additional Domains', choices([])),
    has('hs_parent_company_id', 'Parent Company', number()),
    has('website', 'Website URL'),
    has('description', 'Description', textArea()),
    has('about_us', 'About Us', textArea()),
    has('industry', 'Industry', choice(INDUSTRIES)),
    has('hs_industry_group', 'Industry group'),
    has('numberofemployees', 'Number of Employees', number()),
    has('hs_employee_range', 'Employee range'),
    has('annualrevenue', 'Annual Revenue', number()),
    has('hs_revenue_range', 'Revenue range'),
    has('hs_annual_revenue_currency_code', 'Annual Revenue Currency Code'),
    has('total_money_raised', 'Total Money Raised'),
    has('founded_year', 'Year Founded'),
    has('is_public', 'Is Public', bool()),
    has('type', 'Type', choice(['PROSPECT', 'PARTNER', 'RESELLER', 'VENDOR', 'OTHER'])),
    has('web_technologies', 'Web Technologies', choices(WEB_TECHNOLOGIES)),
    has('phone', 'Phone Number', phone()),
    has('address', 'Street Address'),
    has('address2', 'Street Address 2'),
    has('city', 'City'),
    has('state', 'State/Region'),
    has('zip', 'Postal Code'),
    has('country', 'Country/Region'),
    has('hs_country_code', 'Country/Region Code'),
    has('hs_state_code', 'State/Region Code'),
    has('timezone', 'Time Zone'),
    has('linkedin_company_page', 'LinkedIn Company Page'),
    has('hs_linkedin_handle', 'LinkedIn handle'),
    has('linkedinbio', 'LinkedIn Bio', textArea()),
    has('twitterhandle', 'Twitter Handle'),
    has('facebook_company_page', 'Facebook Company Page'),
    has('hs_logo_url', 'Logo URL'),
    has('hs_is_enriched', 'Is enriched', readOnly(bool())),
    has('hs_lead_status', 'Lead Status', choice(LEAD_STATUSES)),
    has(
      'num_associated_contacts',
      'Number of Associated Contacts',
      readOnly({ ...number(), calculated: true }),
    ),
    has('hs_lastmodifieddate', 'Last Modified Date', readOnly(dateTime())),
  ];
}

function sharedProperties(): PropertyDefinition[] {
  return [
    has('lifecyclestage', 'Lifecycle Stage', choice(LIFECYCLE_STAGES)),
    has('hubspot_owner_id', 'Owner', { type: 'enumeration', fieldType: 'select', externalOptions: true }),
    has('closedate', 'Close Date', dateTime()),
    // Blank until a deal is associated, and never 0. This stand-in has no deals.
    has('num_associated_deals', 'Number of Associated Deals', readOnly({ ...number(), calculated: true })),
    has('hs_object_id', 'Record ID', readOnly({ ...number(), hasUniqueValue: true })),
    has('createdate', 'Create Date', readOnly(dateTime())),
    has('hs_merged_object_ids', 'Merged record IDs', readOnly(choices([]))),
    has('hs_object_source', 'Record creation source', readOnly()),
    has('hs_object_source_id', 'Record creation source ID', readOnly()),
  ];
}

/** HubSpot's internal values, which equal the labels. */
const LEGAL_BASES = [
  'Legitimate interest – prospect/lead',
  'Legitimate interest – existing customer',
  'Legitimate interest - other',
  'Performance of a contract',
  'Freely given consent from contact',
  'Not applicable',
];

const labelled = (value: string) => value;

const WEB_TECHNOLOGIES = [
  'amazon_web_services',
  'cloud_flare',
  'drupal',
  'google_analytics',
  'google_tag_manager',
  'hubspot',
  'intercom',
  'jquery_1_7_1',
  'magento',
  'marketo',
  'mixpanel',
  'nginx',
  'salesforce',
  'segment',
  'shopify',
  'stripe',
  'varnish',
  'wordpress',
  'zendesk',
];
