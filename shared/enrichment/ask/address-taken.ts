import { nameOfKey } from '#shared/crm';
import { textOf } from '#shared/identity';
import { identifiersOfRecord } from '#shared/privacy';
import { readLinks } from '#shared/questions';
import type { EnrichmentServices } from '../services.ts';
import { type Plan, type PlanInput, planQuestions } from './plan.ts';

type Services = Pick<EnrichmentServices, 'forgetting' | 'digest' | 'crm'>;

/** The property whose values HubSpot keeps unique among contacts. */
const UNIQUE = 'email';

/** Plans the questions. Buys no address for `email` if another contact of the same person has one. */
export async function planPurchase(services: Services, input: PlanInput): Promise<Plan> {
  const plan = planQuestions(input);
  const isBought = plan.kind === 'ask' && plan.questions.some(({ options }) => options.includes('email'));
  if (!isBought || !(await isAddressTaken(services, input))) return plan;
  const { contacts, companies } = input.policy.fields;
  const others = contacts.filter(({ property }) => property !== UNIQUE);
  const policy = { ...input.policy, fields: { companies, contacts: others } };
  const without = planQuestions({ ...input, policy });
  return without.kind === 'skip' ? { kind: 'skip', reason: 'address-taken' } : without;
}

/** A contact that HubSpot does not return now counts as one with an address: this never costs more. */
async function isAddressTaken(
  { forgetting, digest, crm }: Services,
  { record }: PlanInput,
): Promise<boolean> {
  const { sure } = identifiersOfRecord(record, digest);
  const linked = await Promise.all(sure.map((key) => readLinks(forgetting, 'records', key)));
  const ids = new Set(linked.flat().flatMap((key) => nameOfKey(key)?.id ?? []));
  ids.delete(record.id);
  if (ids.size === 0) return false;
  const { records, failed } = await crm.read({ objectType: 'contacts', ids: [...ids], properties: [UNIQUE] });
  const isTaken = [...records.values()].some(({ id, ...other }) => id !== record.id && textOf(other, UNIQUE));
  return isTaken || failed.size > 0;
}
