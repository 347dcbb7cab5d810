import type { DefinedOption } from '#shared/crm';
import { wordsOf } from '#shared/identity';

/**
 * Finds the option for a text: by value, by label, by the words of the value, or by the tables of industries,
 * seniorities and technologies. @returns the option's internal value; `undefined` if the account has no such option.
 */
export function matchOption(text: string, defined: readonly DefinedOption[]): string | undefined {
  const options = defined.filter(({ hidden }) => !hidden);
  const words = wordsOf(text).join(' ');
  const joined = wordsOf(text).join('');
  const tableValues = [industryOption(text), SENIORITIES.get(words)];
  // Words are compared without spaces, because HubSpot's option for `Cloudflare` is `cloud_flare`.
  const tools = TOOLS.get(joined) ?? [joined];
  const match =
    options.find(({ value }) => value === text) ??
    options.find(({ label }) => wordsOf(label).join(' ') === words && words !== '') ??
    options.find(({ value }) => wordsOf(value).join(' ') === words && words !== '') ??
    options.find(({ value }) => tableValues.includes(value)) ??
    options.find(({ label, value }) =>
      [label, value].some((name) => words !== '' && tools.includes(wordsOf(name).join(''))),
    );
  return match?.value;
}

/** Smallest share of common words between an option and a text. */
const MIN_LIKENESS = 0.5;

/** Returns the label of the most similar option, as a hint for a person. The option is never written. */
export function nearestOption(text: string, defined: readonly DefinedOption[]): string | undefined {
  const words = new Set(wordsOf(text).map(stemOf));
  const [nearest] = defined
    .filter(({ hidden }) => !hidden)
    .map(({ label, value }) => ({ label: label || value, likeness: likeness(words, label || value) }))
    .filter((one) => one.likeness >= MIN_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness);
  return nearest?.label;
}

/** Computes twice the common words divided by all words: 1 if all words are equal, 0 if none are. */
function likeness(words: ReadonlySet<string>, label: string): number {
  const others = new Set(wordsOf(label).map(stemOf));
  return (2 * words.intersection(others).size) / Math.max(1, words.size + others.size);
}

/** Returns the first letters, which are the same for `manufacturing`, `manufacture` and `manufacturers`. */
function stemOf(word: string): string {
  return word.slice(0, 7);
}

// Maps the vendor's labels (documented: C-Team, C-Suite, VP, Director, Manager, Senior, Staff, Intern) to the internal
// values of HubSpot's `hs_seniority`. Labels with the same spelling need no entry.
const SENIORITIES: ReadonlyMap<string, string> = new Map([
  ['c team', 'executive'],
  ['c suite', 'executive'],
  ['c level', 'executive'],
  ['vice president', 'vp'],
  ['head', 'director'],
  ['staff', 'employee'],
  ['intern', 'entry'],
  ['founder', 'owner'],
]);

/** The vendor's documented labels. */
export const KNOWN_SENIORITIES = ['C-Team', 'VP', 'Director', 'Manager', 'Senior', 'Staff', 'Intern'];

// A tool may have several names, and HubSpot's `web_technologies` has older names. Each entry has the names of one
// tool.
const TOOLS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['Amazon Web Services', 'AWS'],
    ['Google Analytics', 'Google Universal Analytics', 'Google Analytics 4'],
    ['Google Cloud', 'Google Cloud Platform', 'GCP'],
    ['Google Workspace', 'G Suite', 'Google Apps', 'Google Apps for Business'],
    ['Microsoft Azure', 'Azure', 'Windows Azure'],
    ['Microsoft Dynamics', 'Microsoft Dynamics 365', 'Dynamics CRM', 'Microsoft Dynamics CRM'],
    ['Microsoft 365', 'Office 365', 'Microsoft Office 365', 'Office 365 Mail', 'Microsoft Exchange Online'],
    ['Salesforce', 'Salesforce.com', 'Salesforce CRM'],
    ['Zoho CRM', 'Zoho'],
  ].flatMap((names) => {
    const joined = names.map((name) => wordsOf(name).join(''));
    return joined.map((name) => [name, joined] as const);
  }),
);

// HubSpot's company property `industry` has the professional network's older industry names as its 147 options. An
// older name matches an option by its label or its words. This table is for newer names and for common short names. The
// keys are HubSpot's internal values.
const NAMES_BY_OPTION: Readonly<Record<string, readonly string[]>> = {
  ALTERNATIVE_DISPUTE_RESOLUTION: ['Mediation and Arbitration'],
  ANIMATION: ['Animation and Post-production'],
  APPAREL_FASHION: ['Retail Apparel and Fashion', 'Apparel Manufacturing', 'Fashion', 'Apparel'],
  ARTS_AND_CRAFTS: ['Artists and Writers'],
  AUTOMOTIVE: ['Motor Vehicle Manufacturing', 'Automotive Industry', 'Motor Vehicle Parts Manufacturing'],
  AVIATION_AEROSPACE: ['Aviation and Aerospace Component Manufacturing', 'Aerospace'],
  AIRLINES_AVIATION: ['Airlines and Aviation', 'Airlines', 'Aviation'],
  BANKING: ['Banks'],
  BIOTECHNOLOGY: ['Biotechnology Research', 'Biotech'],
  BROADCAST_MEDIA: ['Broadcast Media Production and Distribution', 'Broadcasting'],
  BUILDING_MATERIALS: ['Wholesale Building Materials', 'Retail Building Materials and Garden Equipment'],
  BUSINESS_SUPPLIES_AND_EQUIPMENT: ['Retail Office Equipment', 'Retail Office Supplies and Gifts'],
  CHEMICALS: ['Chemical Manufacturing'],
  CIVIC_SOCIAL_ORGANIZATION: ['Civic and Social Organizations'],
  COMMERCIAL_REAL_ESTATE: ['Leasing Non-residential Real Estate'],
  COMPUTER_HARDWARE: ['Computer Hardware Manufacturing'],
  COMPUTER_NETWORKING: ['Computer Networking Products'],
  COMPUTER_NETWORK_SECURITY: ['Computer and Network Security', 'Cybersecurity', 'Cyber Security'],
  COMPUTER_SOFTWARE: [
    'Software Development',
    'Software',
    'SaaS',
    'Embedded Software Products',
    'Desktop Computing Software Products',
    'Mobile Computing Software Products',
    'Business Intelligence Platforms',
  ],
  CONSUMER_ELECTRONICS: [
    'Computers and Electronics Manufacturing',
    'Retail Appliances, Electrical and Electronic Equipment',
  ],
  CONSUMER_GOODS: ['Manufacturing Consumer Goods'],
  COSMETICS: ['Personal Care Product Manufacturing'],
  DAIRY: ['Dairy Product Manufacturing'],
  DEFENSE_SPACE: ['Defense and Space Manufacturing', 'Defence and Space'],
  DESIGN: ['Design Services'],
  E_LEARNING: ['E-Learning Providers', 'eLearning'],
  EDUCATION_MANAGEMENT: ['Education Administration Programs', 'Education'],
  ELECTRICAL_ELECTRONIC_MANUFACTURING: [
    'Appliances, Electrical, and Electronics Manufacturing',
    'Electrical Equipment Manufacturing',
  ],
  ENTERTAINMENT: ['Entertainment Providers'],
  EXECUTIVE_OFFICE: ['Executive Offices'],
  FARMING: ['Agriculture', 'Farming, Ranching, Forestry'],
  FINE_ART: ['Fine Arts Schools'],
  FISHERY: ['Fisheries'],
  FOOD_BEVERAGES: ['Food and Beverage Services', 'Food and Beverage'],
  FOOD_PRODUCTION: ['Food and Beverage Manufacturing'],
  FUND_RAISING: ['Fundraising'],
  FURNITURE: ['Furniture and Home Furnishings Manufacturing', 'Retail Furniture and Home Furnishings'],
  GAMBLING_CASINOS: ['Gambling Facilities and Casinos'],
  GLASS_CERAMICS_CONCRETE: ['Glass, Ceramics and Concrete Manufacturing'],
  GOVERNMENT_RELATIONS: ['Government Relations Services'],
  GOVERNMENT_ADMINISTRATION: ['Government'],
  HEALTH_WELLNESS_AND_FITNESS: ['Wellness and Fitness Services'],
  HOSPITAL_HEALTH_CARE: ['Hospitals and Health Care', 'Hospitals', 'Health Care', 'Healthcare'],
  HUMAN_RESOURCES: ['Human Resources Services'],
  IMPORT_AND_EXPORT: ['Wholesale Import and Export'],
  INDIVIDUAL_FAMILY_SERVICES: ['Individual and Family Services'],
  INDUSTRIAL_AUTOMATION: ['Automation Machinery Manufacturing'],
  INFORMATION_TECHNOLOGY_AND_SERVICES: [
    'IT Services and IT Consulting',
    'Information Technology',
    'IT Services',
    'Technology, Information and Media',
    'IT System Custom Software Development',
  ],
  INTERNET: ['Technology, Information and Internet', 'Internet Publishing', 'Internet Marketplace Platforms'],
  JUDICIARY: ['Administration of Justice'],
  LAW_PRACTICE: ['Law Firms'],
  LEGISLATIVE_OFFICE: ['Legislative Offices'],
  LEISURE_TRAVEL_TOURISM: ['Travel Arrangements', 'Travel and Tourism'],
  LOGISTICS_AND_SUPPLY_CHAIN: [
    'Transportation, Logistics, Supply Chain and Storage',
    'Logistics',
    'Transportation and Logistics',
    'Transportation, Logistics and Storage',
    'Storage and Logistics',
  ],
  LUXURY_GOODS_JEWELRY: ['Retail Luxury Goods and Jewelry'],
  MACHINERY: ['Machinery Manufacturing'],
  MANAGEMENT_CONSULTING: ['Business Consulting and Services', 'Consulting'],
  MARITIME: ['Maritime Transportation'],
  MARKETING_AND_ADVERTISING: ['Advertising Services', 'Marketing Services', 'Advertising', 'Marketing'],
  MECHANICAL_OR_INDUSTRIAL_ENGINEERING: ['Industrial Machinery Manufacturing', 'Engineering Services'],
  MEDICAL_DEVICES: ['Medical Equipment Manufacturing', 'Medical Device'],
  MEDICAL_PRACTICE: ['Medical Practices', 'Physicians'],
  MILITARY: ['Armed Forces'],
  MINING_METALS: ['Mining', 'Primary Metal Manufacturing'],
  MOTION_PICTURES_AND_FILM: ['Movies, Videos, and Sound', 'Movies and Sound Recording'],
  MUSEUMS_AND_INSTITUTIONS: ['Museums, Historical Sites, and Zoos', 'Museums'],
  MUSIC: ['Musicians', 'Sound Recording'],
  NANOTECHNOLOGY: ['Nanotechnology Research'],
  NEWSPAPERS: ['Newspaper Publishing'],
  NON_PROFIT_ORGANIZATION_MANAGEMENT: [
    'Non-profit Organizations',
    'Nonprofit Organization Management',
    'Nonprofit',
    'Non-profit',
  ],
  OIL_ENERGY: ['Oil and Gas', 'Energy', 'Oil, Gas, and Mining'],
  ONLINE_MEDIA: ['Online Audio and Video Media', 'Internet News'],
  OUTSOURCING_OFFSHORING: ['Outsourcing and Offshoring Consulting'],
  PACKAGE_FREIGHT_DELIVERY: ['Freight and Package Transportation'],
  PACKAGING_AND_CONTAINERS: ['Packaging and Containers Manufacturing'],
  PAPER_FOREST_PRODUCTS: ['Paper and Forest Product Manufacturing'],
  PHARMACEUTICALS: ['Pharmaceutical Manufacturing', 'Pharma'],
  PHILANTHROPY: ['Philanthropic Fundraising Services'],
  PLASTICS: ['Plastics Manufacturing', 'Plastics and Rubber Product Manufacturing'],
  POLITICAL_ORGANIZATION: ['Political Organizations'],
  PRIMARY_SECONDARY_EDUCATION: ['Primary and Secondary Education'],
  PRINTING: ['Printing Services'],
  PUBLIC_POLICY: ['Public Policy Offices'],
  PUBLIC_RELATIONS_AND_COMMUNICATIONS: ['Public Relations and Communications Services', 'Public Relations'],
  PUBLISHING: ['Book and Periodical Publishing', 'Book Publishing'],
  RAILROAD_MANUFACTURE: ['Railroad Equipment Manufacturing'],
  REAL_ESTATE: ['Real Estate Agents and Brokers', 'Leasing Residential Real Estate'],
  RECREATIONAL_FACILITIES_AND_SERVICES: ['Recreational Facilities'],
  RENEWABLES_ENVIRONMENT: [
    'Renewable Energy',
    'Renewable Energy Semiconductor Manufacturing',
    'Services for Renewable Energy',
  ],
  RESEARCH: ['Research Services'],
  RESTAURANTS: ['Food Service'],
  RETAIL: ['Retail Trade', 'E-commerce', 'Online and Mail Order Retail'],
  SECURITY_AND_INVESTIGATIONS: ['Security Guards and Patrol Services', 'Security Systems Services'],
  SEMICONDUCTORS: ['Semiconductor Manufacturing', 'Semiconductor'],
  SPORTING_GOODS: ['Sporting Goods Manufacturing'],
  SPORTS: ['Spectator Sports', 'Sports Teams and Clubs'],
  SUPERMARKETS: ['Retail Groceries'],
  TELECOMMUNICATIONS: ['Telecommunications Carriers', 'Telecom'],
  TEXTILES: ['Textile Manufacturing'],
  TOBACCO: ['Tobacco Manufacturing'],
  TRANSPORTATION_TRUCKING_RAILROAD: [
    'Truck Transportation',
    'Ground Passenger Transportation',
    'Transportation',
    'Rail Transportation',
  ],
  VENTURE_CAPITAL_PRIVATE_EQUITY: [
    'Venture Capital and Private Equity Principals',
    'Venture Capital',
    'Private Equity',
  ],
  VETERINARY: ['Veterinary Services'],
  WAREHOUSING: ['Warehousing and Storage'],
  WINE_AND_SPIRITS: ['Beverage Manufacturing', 'Wineries'],
  WIRELESS: ['Wireless Services'],
};

const optionByName = new Map(
  Object.entries(NAMES_BY_OPTION).flatMap(([option, names]) =>
    names.map((name) => [wordsOf(name).join(' '), option]),
  ),
);

/** One name for each option in the table. */
export const KNOWN_INDUSTRIES: readonly string[] = Object.values(NAMES_BY_OPTION).flatMap(
  ([name]) => name ?? [],
);

/** Returns HubSpot's internal value for a newer industry name; `undefined` for names that are not in the table. */
export function industryOption(name: string): string | undefined {
  return optionByName.get(wordsOf(name).join(' '));
}
