import { rows, words } from './folding.ts';

/** Halves of invented names, such as Quorrwick, Skellmere and Varlholt. No known place or firm has such a name. */
export const NAME_BEGINNINGS = words(`
  Velt Quorr Brindel Kest Ivver Marl Thessel Orrin Zann Ulver Pell Wexel Yarrin Drav Fenn Gorsel Hask Jorv Lumen
  Nerrow Osk Prill Ravvel Skell Tamber Umbrin Varl Wyth Caldrin Embrel Corvel Tarnel Ostrel Mirrow Halver Bexel
  Sorrin Lindrel Arkel Druvel
`);

export const NAME_ENDINGS = words(`
  wick mere holt combe gate haven crest stead march fell hollow spire wold dale moor keep vane loft tide beck
`);

/** Address lines by country. `%n` stands for a house number. */
const STREETS: Readonly<Record<string, readonly string[]>> = {
  DE: [
    'Lindenstraße %n',
    'Bahnhofstraße %n',
    'Gartenweg %n',
    'Schulstraße %n',
    'Mühlenweg %n',
    'Hafenstraße %n',
  ],
  FR: [
    '%n rue des Écoles',
    '%n rue du Moulin',
    '%n avenue de la Gare',
    '%n rue des Lilas',
    '%n quai du Port',
  ],
  ES: ['Calle Mayor %n', 'Calle del Molino %n', 'Avenida de la Estación %n', 'Calle del Río %n'],
  MX: ['Calle Hidalgo %n', 'Avenida del Mercado %n', 'Calle del Jardín %n', 'Calle de la Escuela %n'],
  BR: ['Rua das Flores, %n', 'Rua do Mercado, %n', 'Avenida da Estação, %n', 'Rua da Escola, %n'],
  NL: ['Stationsstraat %n', 'Molenweg %n', 'Kerkstraat %n', 'Havenstraat %n', 'Schoolstraat %n'],
  SE: ['Stationsgatan %n', 'Kyrkogatan %n', 'Hamngatan %n', 'Skolgatan %n', 'Storgatan %n'],
  PL: ['ul. Ogrodowa %n', 'ul. Szkolna %n', 'ul. Dworcowa %n', 'ul. Lipowa %n', 'ul. Portowa %n'],
};

const ENGLISH_STREETS = words(`
  Maple Oak Cedar Mill Station Church Park River Bridge Market Harbour Garden School Orchard Meadow Chestnut
`).map((name) => `%n ${name} Street`);

export function streetsOf(countryCode: string): readonly string[] {
  return STREETS[countryCode] ?? ENGLISH_STREETS;
}

export interface SizeBand {
  readonly weight: number;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  /** Range for the number of people that the service knows. */
  readonly knownMin: number;
  readonly knownMax: number;
}

export const SIZE_BANDS: readonly SizeBand[] = rows(`
  22|1|10|1|8
  34|11|50|7|22
  24|51|200|14|30
  10|201|500|24|46
  5|501|1000|36|62
  4|1001|5000|50|90
  1|5001|10000|80|120
`).map((cells) => {
  const [weight = 0, min = 0, max = 0, knownMin = 0, knownMax = 0] = cells.map(Number);
  return { weight, label: `${min} to ${max}`, min, max, knownMin, knownMax };
});

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

export const APP_CATEGORIES = [
  'Business',
  'Productivity',
  'Finance',
  'Health & Fitness',
  'Shopping',
  'Travel',
];

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
