export interface PropertyOption {
  readonly label: string;
  readonly value: string;
  readonly displayOrder: number;
  readonly hidden: boolean;
  readonly description?: string;
}

/** A definition in the form of the properties API. */
export interface PropertyDefinition {
  readonly name: string;
  label: string;
  /** bool, date, datetime, enumeration, number, phone_number, string */
  type: string;
  /** booleancheckbox, calculation_equation, checkbox, date, file, html, number, phonenumber, radio, select, text, textarea */
  fieldType: string;
  description: string;
  groupName: string;
  options: readonly PropertyOption[];
  displayOrder: number;
  hidden: boolean;
  formField: boolean;
  readonly calculated: boolean;
  readonly externalOptions: boolean;
  readonly hasUniqueValue: boolean;
  readonly hubspotDefined: boolean;
  readonly dataSensitivity: 'non_sensitive';
  readonly modificationMetadata: {
    readonly archivable: boolean;
    readonly readOnlyDefinition: boolean;
    readonly readOnlyOptions?: boolean;
    readonly readOnlyValue: boolean;
  };
  readonly createdAt: string;
  updatedAt: string;
  archived: boolean;
  archivedAt?: string;
}

export interface PropertyGroup {
  readonly name: string;
  label: string;
  displayOrder: number;
  archived: boolean;
}

type Traits = Partial<Omit<PropertyDefinition, 'name' | 'label' | 'modificationMetadata'>> & {
  readonly readOnly?: boolean;
};

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** A property that every account has. By default, a single line of text. */
function has(name: string, label: string, traits: Traits = {}): PropertyDefinition {
  const { readOnly = false, ...said } = traits;
  return {
    name,
    label,
    type: 'string',
    fieldType: 'text',
    description: '',
    groupName: '',
    options: [],
    displayOrder: -1,
    hidden: false,
    formField: !readOnly,
    calculated: false,
    externalOptions: false,
    hasUniqueValue: false,
    hubspotDefined: true,
    dataSensitivity: 'non_sensitive',
    createdAt: '2019-08-06T02:41:08.029Z',
    updatedAt: '2026-03-02T09:10:44.512Z',
    archived: false,
    ...said,
    modificationMetadata: {
      archivable: false,
      readOnlyDefinition: true,
      readOnlyOptions: false,
      readOnlyValue: readOnly,
    },
  };
}

const TEXT_AREA: Traits = { fieldType: 'textarea' };

const NUMBER: Traits = { type: 'number', fieldType: 'number' };

const PHONE: Traits = { type: 'string', fieldType: 'phonenumber' };

const DATE_TIME: Traits = { type: 'datetime', fieldType: 'date' };

/** Yes or no. */
function bool(): Traits {
  const options = [option('true', 0, 'Yes'), option('false', 1, 'No')];
  return { type: 'bool', fieldType: 'booleancheckbox', options };
}

/** A choice of one of the internal values. */
function choice(values: readonly string[]): Traits {
  return {
    type: 'enumeration',
    fieldType: 'select',
    options: values.map((value, order) => option(value, order)),
  };
}

/** A choice of any number of the internal values. Without a list, any text is allowed. */
function choices(values: readonly string[], labelOf = titled): Traits {
  const options = values.map((value, order) => option(value, order, labelOf(value)));
  return { type: 'enumeration', fieldType: 'checkbox', options, externalOptions: values.length === 0 };
}

/** A property that only HubSpot fills. */
function readOnly(traits: Traits = {}): Traits {
  return { ...traits, readOnly: true };
}

function option(value: string, displayOrder: number, label = titled(value)): PropertyOption {
  return { label, value, displayOrder, hidden: false };
}

function titled(value: string): string {
  return value
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/** Stages in the order of the funnel. */
const LIFECYCLE_STAGES = words(`
  subscriber lead marketingqualifiedlead salesqualifiedlead opportunity customer evangelist other
`);

const LEAD_STATUSES = words(`
  NEW OPEN IN_PROGRESS OPEN_DEAL UNQUALIFIED CONNECTED BAD_TIMING
`);
const SENIORITIES = words(`
  owner partner executive vp director manager senior employee entry
`);

export function defaultProperties(typeId: '0-1' | '0-2'): Record<string, PropertyDefinition> {
  const groupName = typeId === '0-1' ? 'contactinformation' : 'companyinformation';
  const own = typeId === '0-1' ? contactProperties() : companyProperties();
  return Object.fromEntries([...own, ...sharedProperties()].map((one) => [one.name, { ...one, groupName }]));
}

export function defaultPropertyGroups(typeId: '0-1' | '0-2'): Record<string, PropertyGroup> {
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
    has('firstname', 'First Name'),
    has('lastname', 'Last Name'),
    has('jobtitle', 'Job Title'),
    has('company', 'Company Name'),
    has('associatedcompanyid', 'Primary Associated Company ID', readOnly(NUMBER)),
    has('website', 'Website URL'),
    has('phone', 'Phone Number', PHONE),
    has('mobilephone', 'Mobile Phone Number', PHONE),
    has('fax', 'Fax Number'),
    has('address', 'Street Address'),
    has('city', 'City'),
    has('state', 'State/Region'),
    has('zip', 'Postal Code'),
    has('country', 'Country/Region'),
    has('hs_state_code', 'State/Region Code'),
    has('hs_country_region_code', 'Country/Region Code'),
    has('hs_linkedin_url', 'LinkedIn URL'),
    has('industry', 'Industry'),
    has('annualrevenue', 'Annual Revenue'),
    has('seniority', 'Seniority'),
    has('job_function', 'Job function'),
    has('start_date', 'Start Date'),
    has('work_email', 'Work Email'),
    has('hs_seniority', 'Employment Seniority', choice(SENIORITIES)),
    has('hs_persona', 'Persona', choice(['persona_1', 'persona_2'])),
    has('hs_lead_status', 'Lead Status', choice(LEAD_STATUSES)),
    has('hs_contact_enrichment_opt_out', 'Contact enrichment opt out', bool()),
    has('hs_legal_basis', "Legal basis for processing contact's data", choices(LEGAL_BASES, labelled)),
    has('message', 'Message', TEXT_AREA),
    has('num_unique_conversion_events', 'Number of Unique Forms Submitted', readOnly(NUMBER)),
    has('lastmodifieddate', 'Last Modified Date', readOnly(DATE_TIME)),
  ];
}

function companyProperties(): PropertyDefinition[] {
  return [
    has('name', 'Company name'),
    has('domain', 'Company Domain Name'),
    has('hs_additional_domains', 'Additional Domains', choices([])),
    has('hs_parent_company_id', 'Parent Company', NUMBER),
    has('website', 'Website URL'),
    has('description', 'Description', TEXT_AREA),
    has('about_us', 'About Us', TEXT_AREA),
    has('industry', 'Industry', choice(INDUSTRIES)),
    has('hs_industry_group', 'Industry group'),
    has('numberofemployees', 'Number of Employees', NUMBER),
    has('hs_employee_range', 'Employee range'),
    has('annualrevenue', 'Annual Revenue', NUMBER),
    has('hs_annual_revenue_currency_code', 'Annual Revenue Currency Code'),
    has('total_money_raised', 'Total Money Raised'),
    has('founded_year', 'Year Founded'),
    has('is_public', 'Is Public', bool()),
    has('type', 'Type', choice(['PROSPECT', 'PARTNER', 'RESELLER', 'VENDOR', 'OTHER'])),
    has('web_technologies', 'Web Technologies', choices(WEB_TECHNOLOGIES)),
    has('phone', 'Phone Number', PHONE),
    has('address', 'Street Address'),
    has('address2', 'Street Address 2'),
    has('city', 'City'),
    has('state', 'State/Region'),
    has('zip', 'Postal Code'),
    has('country', 'Country/Region'),
    has('hs_country_code', 'Country/Region Code'),
    has('hs_state_code', 'State/Region Code'),
    has('linkedin_company_page', 'LinkedIn Company Page'),
    has('facebook_company_page', 'Facebook Company Page'),
    has('hs_logo_url', 'Logo URL'),
    has('hs_lead_status', 'Lead Status', choice(LEAD_STATUSES)),
    has('hs_lastmodifieddate', 'Last Modified Date', readOnly(DATE_TIME)),
  ];
}

function sharedProperties(): PropertyDefinition[] {
  return [
    has('lifecyclestage', 'Lifecycle Stage', choice(LIFECYCLE_STAGES)),
    has('closedate', 'Close Date', DATE_TIME),
    // Blank until a deal is associated, and never 0. This stand-in has no deals.
    has('num_associated_deals', 'Number of Associated Deals', readOnly({ ...NUMBER, calculated: true })),
    has('hs_object_id', 'Record ID', readOnly({ ...NUMBER, hasUniqueValue: true })),
    has('createdate', 'Create Date', readOnly(DATE_TIME)),
    has('hs_merged_object_ids', 'Merged record IDs', readOnly(choices([]))),
    has('hs_object_source', 'Record creation source', readOnly()),
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

const WEB_TECHNOLOGIES = words(`
  amazon_web_services cloud_flare drupal google_analytics google_tag_manager hubspot intercom jquery_1_7_1
  magento marketo mixpanel nginx salesforce segment shopify stripe varnish wordpress zendesk
`);

/** Internal values of a company's `industry` in a new account. */
export const INDUSTRIES: readonly string[] = words(`
ACCOUNTING AIRLINES_AVIATION ALTERNATIVE_DISPUTE_RESOLUTION ALTERNATIVE_MEDICINE ANIMATION APPAREL_FASHION
ARCHITECTURE_PLANNING ARTS_AND_CRAFTS AUTOMOTIVE AVIATION_AEROSPACE BANKING BIOTECHNOLOGY BROADCAST_MEDIA
BUILDING_MATERIALS BUSINESS_SUPPLIES_AND_EQUIPMENT CAPITAL_MARKETS CHEMICALS CIVIC_SOCIAL_ORGANIZATION
CIVIL_ENGINEERING COMMERCIAL_REAL_ESTATE COMPUTER_NETWORK_SECURITY COMPUTER_GAMES COMPUTER_HARDWARE
COMPUTER_NETWORKING COMPUTER_SOFTWARE INTERNET CONSTRUCTION CONSUMER_ELECTRONICS CONSUMER_GOODS CONSUMER_SERVICES
COSMETICS DAIRY DEFENSE_SPACE DESIGN EDUCATION_MANAGEMENT E_LEARNING ELECTRICAL_ELECTRONIC_MANUFACTURING
ENTERTAINMENT ENVIRONMENTAL_SERVICES EVENTS_SERVICES EXECUTIVE_OFFICE FACILITIES_SERVICES FARMING
FINANCIAL_SERVICES FINE_ART FISHERY FOOD_BEVERAGES FOOD_PRODUCTION FUND_RAISING FURNITURE GAMBLING_CASINOS
GLASS_CERAMICS_CONCRETE GOVERNMENT_ADMINISTRATION GOVERNMENT_RELATIONS GRAPHIC_DESIGN HEALTH_WELLNESS_AND_FITNESS
HIGHER_EDUCATION HOSPITAL_HEALTH_CARE HOSPITALITY HUMAN_RESOURCES IMPORT_AND_EXPORT INDIVIDUAL_FAMILY_SERVICES
INDUSTRIAL_AUTOMATION INFORMATION_SERVICES INFORMATION_TECHNOLOGY_AND_SERVICES INSURANCE INTERNATIONAL_AFFAIRS
INTERNATIONAL_TRADE_AND_DEVELOPMENT INVESTMENT_BANKING INVESTMENT_MANAGEMENT JUDICIARY LAW_ENFORCEMENT LAW_PRACTICE
LEGAL_SERVICES LEGISLATIVE_OFFICE LEISURE_TRAVEL_TOURISM LIBRARIES LOGISTICS_AND_SUPPLY_CHAIN
LUXURY_GOODS_JEWELRY MACHINERY MANAGEMENT_CONSULTING MARITIME MARKET_RESEARCH MARKETING_AND_ADVERTISING
MECHANICAL_OR_INDUSTRIAL_ENGINEERING MEDIA_PRODUCTION MEDICAL_DEVICES MEDICAL_PRACTICE MENTAL_HEALTH_CARE MILITARY
MINING_METALS MOTION_PICTURES_AND_FILM MUSEUMS_AND_INSTITUTIONS MUSIC NANOTECHNOLOGY NEWSPAPERS
NON_PROFIT_ORGANIZATION_MANAGEMENT OIL_ENERGY ONLINE_MEDIA OUTSOURCING_OFFSHORING PACKAGE_FREIGHT_DELIVERY
PACKAGING_AND_CONTAINERS PAPER_FOREST_PRODUCTS PERFORMING_ARTS PHARMACEUTICALS PHILANTHROPY PHOTOGRAPHY PLASTICS
POLITICAL_ORGANIZATION PRIMARY_SECONDARY_EDUCATION PRINTING PROFESSIONAL_TRAINING_COACHING PROGRAM_DEVELOPMENT
PUBLIC_POLICY PUBLIC_RELATIONS_AND_COMMUNICATIONS PUBLIC_SAFETY PUBLISHING RAILROAD_MANUFACTURE RANCHING REAL_ESTATE
RECREATIONAL_FACILITIES_AND_SERVICES RELIGIOUS_INSTITUTIONS RENEWABLES_ENVIRONMENT RESEARCH RESTAURANTS RETAIL
SECURITY_AND_INVESTIGATIONS SEMICONDUCTORS SHIPBUILDING SPORTING_GOODS SPORTS STAFFING_AND_RECRUITING SUPERMARKETS
TELECOMMUNICATIONS TEXTILES THINK_TANKS TOBACCO TRANSLATION_AND_LOCALIZATION TRANSPORTATION_TRUCKING_RAILROAD
UTILITIES VENTURE_CAPITAL_PRIVATE_EQUITY VETERINARY WAREHOUSING WHOLESALE WINE_AND_SPIRITS WIRELESS
WRITING_AND_EDITING MOBILE_GAMES
`);
