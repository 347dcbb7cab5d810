import { seededRandom } from '../../../shared/kernel/index.ts';
import { createDraw } from './world/generate.ts';

type Soil = (value: unknown) => unknown;

const text =
  (change: (clean: string) => string): Soil =>
  (value) =>
    change(String(value));
const PLACEHOLDERS: readonly Soil[] = ['N/A', 'null', '-', 'TBD'].map((word) => () => word);
const MASKED = text((clean) => `${clean.slice(0, 1)}***${clean.slice(-1)}`);
const HTML: readonly Soil[] = [
  text((clean) => `<p>${clean}&nbsp;</p>`),
  text((clean) => `<b>${clean}</b><br/>`),
];
const WRONG_DOMAINS: readonly Soil[] = ['facebook.com', 'wixsite.com', 'gmail.com'].map((host) => () => host);

/** The untidy forms of a field, by its name in an answer. Fields that are not listed stay tidy. */
const SOILS: Readonly<Record<string, readonly Soil[]>> = {
  first_name: [MASKED, ...PLACEHOLDERS, text((clean) => `🚀 ${clean}`)],
  last_name: [MASKED, ...PLACEHOLDERS, text((clean) => `${clean}, MBA`)],
  title: [() => 'Job Title', ...PLACEHOLDERS, ...HTML],
  email: [
    text((clean) => clean.replace(/^(.).*(.)@/, '$1***$2@')),
    () => 'email_not_unlocked@domain.com',
    text((clean) => clean.replace(/^.*@/, 'info@')),
  ],
  mobile_number: [() => '+10000000000', () => '+1 *** *** 1234'],
  job_start_date: [() => '1970-01-01', () => '0001-01-01'],
  city: [() => '*****', ...PLACEHOLDERS],
  state: [() => 'xxx', ...PLACEHOLDERS],
  name: HTML,
  'organizations.name': [() => 'Company Name', ...PLACEHOLDERS],
  'organizations.primary_domain': WRONG_DOMAINS,
  primary_domain: WRONG_DOMAINS,
  description: HTML,
  employee_count: [() => 0, () => -1, () => 2_147_483_647],
  company_size: [() => '0', () => 'unknown'],
  founded_year: [() => 0, () => 9999],
  annual_revenue: [() => ({ amount: 0, currency: 'USD' }), () => ({ amount: -1 })],
  phone: [() => '0000000000', () => '+1 *** *** 1234'],
};

/**
 * Makes some values of an answer masked, placeholders, zero, HTML or of another company, as real vendors do. The same
 * record has the same untidy values in every answer.
 * @param rate probability for each field, 0 to 1
 */
export function untidied(data: unknown, rate: number): unknown {
  if (rate === 0) return data;
  if (Array.isArray(data)) return data.map((one: unknown) => untidied(one, rate));
  if (typeof data !== 'object' || data === null || !('id' in data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => {
      const draw = createDraw(seededRandom(hashOf(`1/${String(data.id)}/${field}`)));
      const soils = SOILS[field];
      return [field, soils && draw.chance(rate) ? draw.pick(soils)(value) : value];
    }),
  );
}

/** FNV-1a, which spreads similar texts. */
function hashOf(words: string): number {
  let hash = 0x811c9dc5;
  for (const unit of words) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
