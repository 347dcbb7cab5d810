import type { ObjectType } from '#shared/crm';
import type { Demo } from './data-folder.ts';
import type { Sandbox } from './vendors.ts';

type Properties = Readonly<Record<string, string>>;

interface WantedRecord {
  readonly objectType: ObjectType;
  readonly shows: string;
  readonly properties: Properties;
}

/**
 * Creates the demonstration's records in the stand-in HubSpot as a person would. If an earlier run created them,
 * HubSpot delivers their creation events again.
 */
export async function demonstrate(
  sandbox: Sandbox,
  known: readonly Demo[],
): Promise<{ demos: readonly Demo[]; again: boolean }> {
  if (known.length > 0) {
    for (const { objectType, id } of known) await verb(sandbox, 'redeliver', { objectType, id });
    return { demos: known, again: true };
  }
  const made = await existingRecords(sandbox);
  const demos: Demo[] = [];
  for (const { objectType, shows, properties } of await wantedRecords(sandbox)) {
    const isSame = (record: ExistingRecord) =>
      Object.entries(properties).every(([name, value]) => record.properties[name] === value);
    const record = made.find(isSame) ?? (await verb(sandbox, 'create', { objectType, properties }));
    demos.push({ objectType, shows, id: String(record['id']) });
  }
  return { demos, again: false };
}

interface ExistingRecord {
  readonly id: string;
  readonly properties: Properties;
}

/** Records of the stand-in. They can be from an earlier start that was killed before it saved their ids. */
async function existingRecords({ hubSpotUrl }: Sandbox): Promise<readonly ExistingRecord[]> {
  const response = await fetch(`${hubSpotUrl}/_sandbox/records`);
  const { records } = (await response.json()) as { records: ExistingRecord[] };
  return records;
}

/**
 * Chooses people and companies that the stand-in data service knows. Each of them shows another way to identify a
 * record.
 */
async function wantedRecords(sandbox: Sandbox): Promise<WantedRecord[]> {
  const people = await worldRecords(sandbox, 'person');
  const companies = await worldRecords(sandbox, 'company');
  const known = people.filter((person) => {
    const full = [
      'network_url',
      'email',
      'first_name',
      'last_name',
      'organizations.primary_domain',
      'title',
      'city',
    ];
    return full.every((field) => typeof person[field] === 'string');
  });
  const [byUrl, byEmail, byName] = [known[0], known[7], known[14]];
  const [first, second] = [companies[3], companies[40]];
  if (!byUrl || !byEmail || !byName || !first || !second)
    throw new Error('The stand-in has too few records.');
  const names = (person: WorldRecord) => ({
    firstname: text(person, 'first_name'),
    lastname: text(person, 'last_name'),
  });
  const contact = (shows: string, properties: Properties): WantedRecord => ({
    objectType: 'contacts',
    shows,
    properties,
  });
  const company = (shows: string, properties: Properties): WantedRecord => ({
    objectType: 'companies',
    shows,
    properties,
  });
  return [
    contact('a contact with a profile URL', { ...names(byUrl), hs_linkedin_url: text(byUrl, 'network_url') }),
    contact('a contact with a business email', { email: text(byEmail, 'email') }),
    contact('a contact with a name and a company website', {
      ...names(byName),
      website: text(byName, 'organizations.primary_domain'),
    }),
    contact('a contact that the data service does not know', {
      email: 'nobody.there@unknown-firm-of-the-demo.com',
    }),
    contact('a contact with only a free-mail address', {
      firstname: 'Sam',
      email: 'sam.of.the.demo@gmail.com',
    }),
    company('a company with a domain', { domain: text(first, 'primary_domain') }),
    company('a company with a domain and a name', {
      name: text(second, 'name'),
      domain: text(second, 'primary_domain'),
    }),
  ];
}

type WorldRecord = Readonly<Record<string, unknown>>;

async function worldRecords(sandbox: Sandbox, kind: 'person' | 'company'): Promise<WorldRecord[]> {
  const response = await fetch(`${sandbox.dataServiceUrl}/_sandbox/records?kind=${kind}&limit=100`);
  const { records } = (await response.json()) as { records: WorldRecord[] };
  return records;
}

function text(record: WorldRecord, field: string): string {
  const value = record[field];
  if (typeof value !== 'string') throw new Error(`The stand-in's record has no ${field}.`);
  return value;
}

async function verb(
  sandbox: Sandbox,
  name: string,
  body: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await fetch(`${sandbox.hubSpotUrl}/_sandbox/${name}`, request);
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`The stand-in HubSpot refused to ${name}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Credits that the stand-in data service reports as charged. */
export async function chargedCredits(sandbox: Sandbox): Promise<number> {
  const bill = (await (await fetch(`${sandbox.dataServiceUrl}/_sandbox/bill`)).json()) as {
    creditsCharged: number;
  };
  return bill.creditsCharged;
}
