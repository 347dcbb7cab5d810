import {
  drawApp,
  drawFunding,
  drawOpenRoleCounts,
  drawRoleCounts,
  drawTechnologies,
  drawTraffic,
} from './company-facts.ts';
import {
  NAME_BEGINNINGS,
  NAME_ENDINGS,
  REVENUE_BANDS,
  SIZE_BANDS,
  type SizeBand,
  streetsOf,
} from './company-words.ts';
import { type City, type Country, countries } from './countries.ts';
import type { Draw } from './draw.ts';
import { slug } from './folding.ts';
import { type Industry, industries } from './industries.ts';
import type { PhoneBook } from './phone-book.ts';
import type { Address, Company, FundingRound } from './types.ts';

export interface CompanyDraft {
  readonly company: Company;
  readonly country: Country;
  /** Number of the company's people that the service knows. */
  readonly knownCount: number;
}

export interface CompanySource {
  readonly draw: Draw;
  readonly phoneBook: PhoneBook;
  /** Domains and page slugs in use. */
  readonly taken: Set<string>;
}

/** Generates one company with consistent facts: name, trade, domains, places, size, money and tools. */
export function generateCompany(source: CompanySource): CompanyDraft {
  const { draw } = source;
  const country = draw.weighted(countries);
  const trade = draw.weighted(industries);
  const sideTrade = draw.chance(0.25) ? draw.weighted(industries) : trade;
  const band = draw.weighted(SIZE_BANDS);
  const employeeCount = draw.integer(band.min, band.max);
  const identity = drawIdentity(source, trade, country);
  const headquarters = draw.pick(country.cities);
  const locations = drawLocations(draw, { country, headquarters, band });
  const type = drawType(draw, trade, band);
  const company: Company = {
    ...identity,
    ...drawTrade(draw, trade, sideTrade),
    ...drawSize(draw, band, employeeCount),
    ...drawMoney(draw, type, employeeCount),
    ...drawPresence(draw, identity.networkSlug, employeeCount),
    locations,
    phone: draw.chance(0.75) ? source.phoneBook.office(country, headquarters) : undefined,
    about: draw.chance(0.95) ? drawAbout(identity.name, trade, locations[0]) : undefined,
  };
  const knownCount = draw.chance(0.02) ? 0 : draw.integer(band.knownMin, band.knownMax);
  return { company, country, knownCount: Math.min(knownCount, employeeCount) };
}

type Part<K extends keyof Company> = Pick<Company, K>;

function drawIdentity(
  { draw, taken }: CompanySource,
  trade: Industry,
  country: Country,
): Part<'id' | 'name' | 'networkSlug' | 'domains'> {
  for (;;) {
    const name = `${draw.pick(NAME_BEGINNINGS)}${draw.pick(NAME_ENDINGS)} ${draw.pick(trade.nameEndings)}`;
    const networkSlug = slug(name);
    if (taken.has(networkSlug)) continue;
    const primary = `${networkSlug}.${draw.pick(country.topLevelDomains)}`;
    const others = draw.chance(0.14)
      ? [`${networkSlug.replaceAll('-', '')}.com`, `${networkSlug}.group`]
      : [];
    const domains = [primary, ...draw.some(others, draw.integer(1, 2))] as const;
    for (const mark of [networkSlug, ...domains]) taken.add(mark);
    return { id: draw.hex(24), name, networkSlug, domains: [...domains] };
  }
}

function drawTrade(
  draw: Draw,
  trade: Industry,
  sideTrade: Industry,
): Part<'industry' | 'industries' | 'sicCodes' | 'naics' | 'specialties'> {
  const trades = trade === sideTrade ? [trade] : [trade, sideTrade];
  return {
    industry: trade.name,
    industries: trades.map((one) => one.name),
    sicCodes: trades.map((one) => one.sicCode),
    naics: trades.map((one) => ({ code: one.naicsCode, description: one.naicsDescription })),
    specialties: draw.chance(0.9) ? draw.some(trade.specialties, draw.integer(2, 4)) : [],
  };
}

function drawSize(
  draw: Draw,
  band: SizeBand,
  employeeCount: number,
): Part<
  'employeeCount' | 'sizeLabel' | 'growthPercent' | 'hasCio' | 'hasCiso' | 'roleCounts' | 'openRoleCounts'
> {
  const roleCounts = drawRoleCounts(draw, employeeCount);
  const has = (probability: number) =>
    draw.chance(0.2) ? 'Unknown' : draw.chance(probability) ? 'Yes' : 'No';
  return {
    employeeCount,
    sizeLabel: band.label,
    growthPercent: draw.chance(0.9) ? draw.integer(-200, 450) / 10 : undefined,
    hasCio: has(employeeCount > 200 ? 0.7 : 0.1),
    hasCiso: has(employeeCount > 500 ? 0.7 : 0.05),
    roleCounts,
    openRoleCounts: drawOpenRoleCounts(draw, roleCounts),
  };
}

function drawType(draw: Draw, trade: Industry, band: SizeBand): Company['type'] {
  if (trade.name.startsWith('Non-profit')) return 'Non-profit';
  return band.min > 500 && draw.chance(0.6) ? 'Public' : 'Private';
}

function drawMoney(
  draw: Draw,
  type: Company['type'],
  employeeCount: number,
): Part<'type' | 'stockSymbol' | 'funding' | 'foundedYear' | 'revenue' | 'adSpend'> {
  const isFunded = type === 'Public' || (type === 'Private' && draw.chance(0.45));
  const funding: FundingRound[] = isFunded ? drawFunding(draw, type === 'Public') : [];
  const latest = funding[0] === undefined ? 2024 : Number(funding[0].date.slice(0, 4)) - 1;
  const revenueUsd = employeeCount * draw.integer(60, 260) * 1_000;
  const label = REVENUE_BANDS.findLast(([, from]) => revenueUsd >= from)?.[0] ?? '';
  const foundedYear = latest - draw.integer(0, draw.chance(0.3) ? 60 : 15);
  return {
    type,
    stockSymbol: type === 'Public' ? draw.fill('@@@@') : undefined,
    funding,
    foundedYear: draw.chance(0.92) ? foundedYear : undefined,
    revenue: draw.chance(0.85) ? { label, amount: revenueUsd, year: 2025 } : undefined,
    adSpend: draw.chance(0.6) ? draw.integer(1, 20 + employeeCount) * 50 : undefined,
  };
}

function drawPresence(
  draw: Draw,
  slugText: string,
  employeeCount: number,
): Part<
  'technologies' | 'traffic' | 'iosApp' | 'androidApp' | 'hasWebApp' | 'isWebsiteForSale' | 'isPageClaimed'
> {
  const code = slugText.replaceAll('-', '');
  const ios = { url: `https://apps.apple.com/app/${slugText}/id9${draw.fill('########')}`, maximum: 120 };
  const android = {
    url: `https://play.google.com/store/apps/details?id=app.${code}`,
    maximum: 500_000,
  };
  return {
    technologies: drawTechnologies(draw),
    traffic: draw.chance(0.9) ? drawTraffic(draw, employeeCount) : undefined,
    iosApp: draw.chance(0.25) ? drawApp(draw, ios) : undefined,
    androidApp: draw.chance(0.22) ? drawApp(draw, android) : undefined,
    hasWebApp: draw.chance(0.4),
    isWebsiteForSale: draw.chance(0.02),
    isPageClaimed: draw.chance(0.8),
  };
}

interface Seat {
  readonly country: Country;
  readonly headquarters: City;
  readonly band: SizeBand;
}

function drawLocations(draw: Draw, { country, headquarters, band }: Seat): [Address, ...Address[]] {
  const branchCount = band.max <= 50 ? 0 : draw.integer(0, band.max <= 500 ? 2 : 4);
  const branches = Array.from({ length: branchCount }, () => {
    const place = draw.chance(0.75) ? country : draw.weighted(countries);
    return drawAddress(draw, draw.pick(place.cities), false);
  });
  return [drawAddress(draw, headquarters, true), ...branches];
}

function drawAddress(draw: Draw, city: City, isHeadquarters: boolean): Address {
  const street = draw.pick(streetsOf(city.place.countryCode)).replace('%n', String(draw.integer(1, 240)));
  const postcode = draw.fill(city.postcodeTemplate);
  const known = draw.chance(0.85) ? { street, postcode } : {};
  return { ...city.place, ...known, isHeadquarters };
}

function drawAbout(name: string, trade: Industry, place: Address): string {
  return `${name} ${trade.purpose}, from its base in ${place.city}.`;
}
