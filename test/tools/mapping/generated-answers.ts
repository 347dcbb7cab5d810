import type { EnrichmentAnswer } from '#inside/field-policy/mapping.ts';
import { canonicalRecord } from '#inside/vendor/data-service/canonical-records.ts';
import type { ObjectType } from '#shared/crm';
import type { Lookup } from '#shared/vendor';
import { companyProfileRecord, personRecord } from '../../../infra/sandbox/data-service/records.ts';
import { worldOf } from '../../../infra/sandbox/data-service/world/generate.ts';
import { currentStaff } from '../../../infra/sandbox/data-service/world/world.ts';

const NOW_MS = Date.UTC(2026, 10, 21);
const COUNT = 300;

/** What is bought: as the default policy does, or with every option that there is. */
export type Bought = 'default' | 'everything';

/** The stand-in's answers about 300 people and 300 companies from all over its world, always the same. */
export function generatedAnswers(bought: Bought): Readonly<Record<ObjectType, readonly EnrichmentAnswer[]>> {
  const world = worldOf(1);
  const isAll = bought === 'everything';
  const options = { funding: isAll, technology: isAll, contacts: isAll };
  return {
    contacts: spread(world.people).map((person) =>
      personRecord(person, NOW_MS, { email: true, phone: isAll }),
    ),
    companies: spread(world.companies).map((company) =>
      companyProfileRecord(company, {
        staff: currentStaff(world, company, NOW_MS),
        nowMs: NOW_MS,
        options,
      }),
    ),
  };
}

type Answers = Readonly<Record<ObjectType, readonly EnrichmentAnswer[]>>;

const read = new Map<Bought, Answers>();

/** The same answers, as the product reads them; read once. */
export function canonicalAnswers(bought: Bought): Answers {
  const known = read.get(bought);
  if (known) return known;
  const { contacts, companies } = generatedAnswers(bought);
  const answers = {
    contacts: contacts.map((record) => canonicalOf(record, 'person')),
    companies: companies.map((record) => canonicalOf(record, 'company')),
  };
  read.set(bought, answers);
  return answers;
}

export function canonicalOf(record: object, about: Lookup['about'], nowMs = NOW_MS) {
  return { ...canonicalRecord(record, about, { context: { nowMs }, onUnusable: () => undefined }) };
}

function spread<T>(all: readonly T[]): T[] {
  const step = Math.floor(all.length / COUNT);
  return all.filter((_, index) => index % step === 0).slice(0, COUNT);
}
