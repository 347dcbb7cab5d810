import { DAY_MS } from '../../../../shared/kernel/index.ts';

export interface Place {
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly country: string;
  /** Two letters, ISO 3166-1. */
  readonly countryCode: string;
  readonly region: 'NORAM' | 'EMEA' | 'APAC' | 'LATAM';
}

const SINGLE_LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', đ: 'd', ı: 'i' };

/** Normal form for comparing names, places and titles: lower case, without accents, single spaces. */
export function fold(text: string): string {
  const plain = ASCII.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .replace(/[ßłøæđı]/g, (letter) => SINGLE_LETTERS[letter] ?? letter);
  return plain.replace(/\s+/g, ' ').trim();
}

/** Most names have no accents, so this short path saves noticeable time. */
const ASCII = /^[ -~]*$/;

/** Letters and digits joined by hyphens, for domains and addresses of pages. */
export function slug(text: string): string {
  return fold(text)
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '')
    .join('-');
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** Splits a compact table into rows by line and cells by `|`. */
function rows(text: string): string[][] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

/** Halves of invented names, such as Quorrwick, Skellmere and Varlholt. No known place or firm has such a name. */
export const NAME_BEGINNINGS = words(`
  Velt Quorr Brindel Kest Ivver Marl Thessel Orrin Zann Ulver Pell Wexel Yarrin Drav Fenn Gorsel Hask Jorv Lumen
  Nerrow Osk Prill Ravvel Skell Tamber Umbrin Varl Wyth Caldrin Embrel Corvel Tarnel Ostrel Mirrow Halver Bexel
  Sorrin Lindrel Arkel Druvel
`);

export const NAME_ENDINGS = words(`
  wick mere holt combe gate haven crest stead march fell hollow spire wold dale moor keep vane loft tide beck
`);

export const STREETS = words('Maple Oak Cedar Mill Station Church Park River Bridge Market Harbour Garden');

/** `known` is the range for the number of people that the service knows. */
export const SIZE_BANDS = [
  { weight: 22, label: '1 to 10', min: 1, max: 10, knownMin: 1, knownMax: 3 },
  { weight: 34, label: '11 to 50', min: 11, max: 50, knownMin: 2, knownMax: 5 },
  { weight: 24, label: '51 to 200', min: 51, max: 200, knownMin: 3, knownMax: 8 },
  { weight: 10, label: '201 to 500', min: 201, max: 500, knownMin: 6, knownMax: 12 },
  { weight: 9, label: '501 to 1000', min: 501, max: 1_000, knownMin: 9, knownMax: 16 },
  { weight: 1, label: '1001 to 5000', min: 1_001, max: 5_000, knownMin: 30, knownMax: 40 },
];

/** Label and its lowest yearly revenue in US dollars, lowest first. */
export const REVENUE_BANDS: readonly (readonly [string, number])[] = [
  ['<$1M', 0],
  ['$1M-$10M', 1e6],
  ['$10M-$50M', 10e6],
  ['$50M-$100M', 50e6],
  ['$100M-$500M', 100e6],
  ['$500M-$1B', 500e6],
  ['>$1B', 1e9],
];

export const TECHNOLOGIES: Readonly<Record<string, readonly string[]>> = {
  automation: ['Marketo', 'Mailchimp', 'Zapier', 'Klaviyo', 'ActiveCampaign'],
  cloud_provider: ['Amazon Web Services', 'Google Cloud', 'Microsoft Azure', 'DigitalOcean', 'OVHcloud'],
  cms: ['WordPress', 'Drupal', 'Contentful', 'Webflow', 'TYPO3'],
  crm: ['HubSpot', 'Salesforce', 'Pipedrive', 'Zoho CRM', 'Microsoft Dynamics'],
  email_hosting: ['Google Workspace', 'Microsoft 365', 'Zoho Mail', 'Fastmail'],
};

/** The specification's labels of funding stages, in the usual order. */
export const FUNDING_STAGES: readonly (readonly [label: string, typicalUsd: number])[] = [
  ['Pre-Seed', 4e5],
  ['Seed', 2e6],
  ['Series A', 9e6],
  ['Series B', 24e6],
  ['Series C', 55e6],
  ['Series D+', 110e6],
];
export const FUNDING_EXITS = ['IPO', 'Acquired'];

export const INVESTOR_ENDINGS = ['Ventures', 'Capital', 'Partners', 'Growth'];

/**
 * Phone numbers that no one has. For North America they are 555-01xx. For the United Kingdom, Germany, France, Sweden
 * and Australia they are ranges that the regulators reserve for fiction. Other countries reserve none, so their numbers
 * are in blocks without an operator.
 */
const COUNTRIES = `
40|United States|US|NORAM|1|10|-|com com com io net|english english hispanic african indian chinese
5|Canada|CA|NORAM|1|10|-|ca com|english french chinese indian
13|United Kingdom|GB|EMEA|44|10|7700900|co.uk co.uk com|english english indian african nordic
8|Germany|DE|EMEA|49|10|-|de de com|german german nordic indian
5|France|FR|EMEA|33|9|63998|fr com|french french hispanic
3|Sweden|SE|EMEA|46|9|70174061 70174062 70174063 70174064 70174065 70174066|se com|nordic
4|India|IN|APAC|91|10|555000|in co.in com|indian
4|Australia|AU|APAC|61|9|-|com.au com.au com|english english chinese indian
3|Brazil|BR|LATAM|55|11|-|com.br|brazilian
2|Mexico|MX|LATAM|52|10|-|com.mx mx|hispanic
`;

const CITIES = `
US|New York|New York|100##|212 646 917 332
US|Los Angeles|California|900##|213 323 310 424
US|San Francisco|California|941##|415 628
US|San Jose|California|951##|408 669
US|San Diego|California|921##|619 858
US|Seattle|Washington|981##|206 425
US|Portland|Oregon|972##|503 971
US|Denver|Colorado|802##|303 720
US|Austin|Texas|787##|512 737
US|Dallas|Texas|752##|214 469 972
CA|Toronto|Ontario|M5@ #@#|416 647 437
CA|Ottawa|Ontario|K1@ #@#|613 343
GB|London|England|EC#@ #@@|2079460
GB|Manchester|England|M# #@@|1614960
GB|Birmingham|England|B# #@@|1214960
DE|Berlin|Berlin|101##|3023125
DE|Hamburg|Hamburg|200##|4066969
DE|Munich|Bavaria|803##|8999998
FR|Paris|Île-de-France|750##|19900
FR|Lyon|Auvergne-Rhône-Alpes|690##|46571
SE|Stockholm|Stockholm County|11# ##|8465004
SE|Gothenburg|Västra Götaland|41# ##|3139006
IN|Bengaluru|Karnataka|5600##|555000
IN|Mumbai|Maharashtra|4000##|555000
AU|Sydney|New South Wales|20##|25550
AU|Melbourne|Victoria|30##|35550
BR|São Paulo|São Paulo|01###-###|1190000
BR|Rio de Janeiro|Rio de Janeiro|20###-###|2190000
MX|Mexico City|Ciudad de México|06###|550000
MX|Guadalajara|Jalisco|44###|330000
`;

const cityRows = rows(CITIES);

export type Country = (typeof countries)[number];
export type City = Country['cities'][number];

export const countries = rows(COUNTRIES).map((cells) => {
  const [weight = '', name = '', code = '', region = ''] = cells;
  const [callingCode = '', length = '', mobile = '', domains = '', cultures = ''] = cells.slice(4);
  const place = { country: name, countryCode: code, region: region as Place['region'] };
  return {
    weight: Number(weight),
    code,
    callingCode,
    nationalLength: Number(length),
    mobilePrefixes: mobile === '-' ? [] : words(mobile),
    topLevelDomains: words(domains),
    /** Names of tables below. A table that is listed twice is drawn more often. */
    cultures: words(cultures),
    cities: cityRows.filter((row) => row[0] === code).map((row) => readCity(row, place)),
  };
});

export const countryByCode: ReadonlyMap<string, Country> = new Map(countries.map((one) => [one.code, one]));

function readCity(
  [code, city = '', state = '', postcode = '', prefixes = '']: string[],
  country: Pick<Place, 'country' | 'countryCode' | 'region'>,
) {
  const isNorthAmerica = code === 'US' || code === 'CA';
  // The place for people of whom only the state is known.
  const surroundings: Place = { state, ...country };
  return {
    name: city,
    // All people in the city share this object.
    place: { city, ...surroundings } as Place,
    surroundings,
    postcodeTemplate: postcode,
    // First digits of national numbers in this city that are reserved for fiction or were never assigned.
    phonePrefixes: words(prefixes).map((prefix) => (isNorthAmerica ? `${prefix}55501` : prefix)),
  };
}

export type Industry = (typeof industries)[number];

const INDUSTRIES = `
16|Software Development|Software, Systems, Labs, Technologies|cloud software, APIs, workflow automation, mobile development, developer tools|builds software that keeps teams in step
10|IT Services and IT Consulting|Digital, Consulting, IT Services, Networks|systems integration, managed services, cloud migration, cyber security, help desk|plans, moves and runs the systems of mid-sized firms
9|Financial Services|Capital, Finance, Wealth, Advisory|payments, lending, wealth management, treasury, compliance|helps businesses to plan, borrow and invest
5|Insurance|Insurance, Mutual, Underwriting|commercial cover, risk assessment, claims handling, reinsurance|insures small and mid-sized companies
8|Hospitals and Health Care|Health, Clinics, Care, Medical|outpatient care, telehealth, diagnostics, patient records|runs clinics and the services around them
4|Biotechnology Research|Biosciences, Therapeutics, Genomics|assay development, sequencing, clinical trials, bioinformatics|develops assays and therapies for rare conditions
9|Manufacturing|Manufacturing, Industries, Machine Works, Components|precision parts, CNC machining, quality assurance, tooling|makes precision parts and the machines that make them
4|Automotive|Motors, Mobility, Drive Systems|drivetrains, electric vehicles, fleet services, testing|supplies drive systems to vehicle makers
5|Construction|Construction, Builders, Contracting|commercial building, refurbishment, project management, site safety|builds and refurbishes commercial property
5|Real Estate|Properties, Estates, Realty|property management, leasing, valuation, investment|lets and manages commercial and residential property
6|Retail|Outfitters, Stores, Market, Goods|e-commerce, merchandising, store operations, loyalty programmes|sells clothing and home goods in shops and online
4|Food and Beverage Services|Kitchens, Foods, Provisions|catering, restaurants, food safety, supply|runs restaurants and caters for companies
5|Transportation, Logistics and Storage|Logistics, Freight, Forwarding|freight forwarding, warehousing, customs, last-mile delivery|moves and stores goods across borders
6|Advertising Services|Media, Creative, Agency|brand strategy, media buying, content, search marketing|plans and buys media for growing brands
4|Higher Education|College, Institute, Learning|professional courses, online learning, research, accreditation|teaches working people in courses and online
4|Renewable Energy|Energy, Solar, Renewables|solar parks, wind farms, battery storage, grid services|plans and runs solar parks and storage
3|Telecommunications|Telecom, Communications, Broadband|fibre, voice services, data centres, network operations|lays fibre and runs voice and data services
3|Legal Services|Law, Legal, Chambers|contracts, employment law, intellectual property, disputes|advises companies on contracts and disputes
3|Staffing and Recruiting|Talent, Recruiting, People|executive search, contract staffing, assessment, onboarding|finds specialists for hard-to-fill roles
3|Travel Arrangements|Travel, Journeys, Tours|business travel, group tours, booking, event travel|arranges business trips and group tours
2|Non-profit Organizations|Foundation, Trust, Initiative|grants, volunteering, community programmes, fundraising|funds community programmes and local volunteers
2|Mining|Minerals, Resources|exploration, geology, site operations, reclamation|explores and works mineral deposits
`;

/** `nameEndings` are last words of company names, `purpose` describes the business. */
export const industries = rows(INDUSTRIES).map((cells) => {
  const [weight = '', name = '', endings = '', specialties = '', purpose = ''] = cells;
  return {
    weight: Number(weight),
    name,
    nameEndings: endings.split(', '),
    specialties: specialties.split(', '),
    purpose,
  };
});

const table = (given: string, family: string) => ({ given: words(given), family: words(family) });

/** Common given and family names by culture. Both are combined at random, so no real person is meant. */
export const names: Readonly<Record<string, ReturnType<typeof table>>> = {
  english: table(
    `Emma Charlotte Grace Lauren Rachel Katie Rebecca Alice Jessica Erin Abigail Naomi Tessa William Jack
     Daniel Andrew Benjamin Joshua Luke Ethan Simon Martin Colin`,
    `Smith Taylor Wilson Walker Green Clarke Cooper Baker Carter Parker Bennett Foster Bailey Kelly Byrne
     Campbell Fraser Marshall Webster Thornton Barlow Pritchard Hadley`,
  ),
  hispanic: table(
    `María Carmen Elena Ana Paula Gabriela Camila Pilar Alba Ximena José Javier Alejandro Pablo Andrés
     Ricardo Eduardo Manuel Hugo Mateo`,
    `García Martínez Hernández Pérez Ramírez Flores Gómez Cruz Reyes Gutiérrez Ramos Vargas Jiménez Molina
     Ibáñez Vidal Salazar`,
  ),
  african: table(
    `Amara Ngozi Folake Zuri Aaliyah Ebony Abena Efua Kwame Chidi Obinna Malik Darius Marcus Isaiah Sipho
     Babatunde`,
    `Okafor Okonkwo Eze Mensah Boateng Osei Dlamini Washington Banks Freeman Simmons Hayes Gaines Traoré
     Achebe`,
  ),
  indian: table(
    `Priya Kavya Neha Shreya Aditi Sunita Nandini Swati Rohan Vikram Amit Rajesh Aditya Nikhil Anil Siddharth
     Gaurav Ashwin`,
    `Sharma Gupta Nair Menon Kumar Verma Joshi Kulkarni Banerjee Das Krishnan Kapoor Chopra Shetty Saxena`,
  ),
  chinese: table(
    `Mei Xin Jing Ling Qing Xiu Jun Ming Jie Lei Tao Kai Zhen Shan Peng Grace Jasmine Vivian`,
    `Wang Zhang Chen Huang Wu Xu Ma Hu Lin Gao Tan Ng Chan Teo Cheung`,
  ),
  german: table(
    `Anna Julia Sabine Petra Johanna Greta Ulrike Nina Lukas Felix Sebastian Stefan Michael Matthias Uwe Jan
     Dirk Moritz`,
    `Müller Schneider Weber Wagner Schulz Koch Richter Wolf Neumann Zimmermann Krüger Lange Krause Köhler
     Fuchs Vogel Winkler Großmann`,
  ),
  french: table(
    `Camille Manon Sophie Nathalie Céline Élodie Amandine Mathilde Julien Pierre Maxime François Laurent
     Mathieu Romain Sébastien`,
    `Martin Dubois Robert Petit Leroy Simon Lefebvre Roux Girard Dupont Fontaine Mercier Guérin Garnier
     Lemaire Gauthier Tremblay`,
  ),
  nordic: table(
    `Astrid Freja Linnea Maja Ebba Annika Erik Johan Henrik Oskar Björn Magnus Emil`,
    `Andersson Karlsson Eriksson Olsson Svensson Lindberg Bergström Forsberg Ekström Nyström Wallin`,
  ),
  brazilian: table(
    `Ana Juliana Larissa Letícia Bruna Renata João Lucas Rafael Thiago Leonardo Marcelo Caio`,
    `Silva Oliveira Pereira Carvalho Ribeiro Costa Martins Barbosa Dias Moreira Teixeira Azevedo`,
  ),
};

/** The specification's seniorities of the employee search, highest first. */
export const SENIORITIES: readonly string[] = [
  'C-Suite',
  'VP',
  'Director',
  'Manager',
  'Senior',
  'Staff',
  'Intern',
];

/** Each row is a department. Each cell is a seniority, in the order above, with titles separated by commas. */
const TITLES = `
Engineering|Chief Technology Officer, Chief Information Officer, Chief Information Security Officer|VP of Engineering, VP of Infrastructure|Director of Engineering, Director of IT|Engineering Manager, IT Manager, QA Manager|Senior Software Engineer, Senior Data Engineer, Senior Systems Engineer|Software Engineer, Data Engineer, Systems Administrator, Test Engineer|Engineering Intern
Sales|Chief Revenue Officer, Chief Commercial Officer|VP of Sales, VP of Business Development|Sales Director, Director of Business Development|Sales Manager, Regional Sales Manager|Senior Account Executive, Senior Business Development Manager|Account Executive, Sales Development Representative, Business Development Associate|Sales Intern
Marketing|Chief Marketing Officer|VP of Marketing, VP of Communications|Marketing Director, Director of Demand Generation|Marketing Manager, Content Manager, Brand Manager|Senior Marketing Specialist, Senior Content Strategist|Marketing Specialist, Copywriter, Marketing Coordinator|Marketing Intern
Operations|Chief Executive Officer, Chief Operating Officer|VP of Operations, VP of Supply Chain|Director of Operations, Procurement Director|Operations Manager, Office Manager, Logistics Manager|Senior Operations Analyst, Senior Project Manager|Operations Associate, Project Coordinator, Buyer|Operations Intern
Human Resources|Chief People Officer|VP of People|HR Director, Director of Talent|HR Manager, Talent Acquisition Manager|Senior Recruiter, Senior HR Business Partner|Recruiter, HR Generalist, Payroll Specialist|HR Intern
Finance|Chief Financial Officer|VP of Finance|Finance Director, Director of Accounting|Finance Manager, Accounting Manager, Controller|Senior Financial Analyst, Senior Accountant|Accountant, Financial Analyst, Accounts Payable Clerk|Finance Intern
Customer Success|Chief Customer Officer|VP of Customer Success|Director of Customer Success, Director of Support|Customer Success Manager, Support Manager|Senior Customer Success Specialist, Senior Support Engineer|Customer Success Specialist, Support Agent, Onboarding Specialist|Customer Success Intern
Product|Chief Product Officer|VP of Product|Product Director, Director of Design|Product Manager, Design Manager|Senior Product Manager, Senior Product Designer|Product Analyst, Product Designer, UX Researcher|Product Intern
`;

const tableRows = rows(TITLES);

/** Titles of a department at a seniority. Both must be among the options above. */
export function titlesOf(department: string, seniority: string): readonly string[] {
  const row = tableRows.find(([name]) => name === department) ?? [];
  const column = 1 + SENIORITIES.indexOf(seniority);
  return (row[column] ?? '').split(', ');
}

export const MONTH_MS = (365.25 / 12) * DAY_MS;

/** `YYYY-MM-DD`, UTC. */
export function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Whole months between two times; 0 if the second is not later. */
export function monthsBetween(fromMs: number, toMs: number): number {
  return Math.max(0, Math.floor((toMs - fromMs) / MONTH_MS));
}
