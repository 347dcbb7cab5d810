import type { Company, Person } from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { HistoryEntry, StoredRecord } from '../../../infra/sandbox/hubspot/state.ts';
import type { Evidence } from './evidence.ts';
import { identifiersOf } from './people.ts';

/** From reading to writing, beside the request itself. */
const AT_ONCE_MS = 100;

/** What is written to a record is told of whoever the record names, and of nobody else. */
export function answerFaults(evidence: Evidence): string[] {
  const { agreed, hubSpot, people, companies } = evidence;
  // What HubSpot processes late is of a time before.
  if (agreed.hasLateWrites) return [];
  const contacts = Object.values(hubSpot.records['0-1']);
  return [
    ...contacts.flatMap((record) =>
      strange(evidence, record, (held) => people.filter((person) => isNamed(person, held)).map(toldOfPerson)),
    ),
    ...Object.values(hubSpot.records['0-2']).flatMap((record) =>
      strange(evidence, record, (held) =>
        companies.filter((company) => isCalled(company, held)).map(toldOfCompany),
      ),
    ),
    ...contacts.flatMap((record) => mixedEmployers(evidence, record)),
  ];
}

type Values = Readonly<Record<string, string>>;
type Told = Readonly<Record<string, readonly (string | undefined)[]>>;

/** @param toldBy what may be told of each whom the values name. */
function strange({ agreed }: Evidence, record: StoredRecord, toldBy: (held: Values) => Told[]): string[] {
  const lateMs = agreed.portalLatencyMs + AT_ONCE_MS;
  return oursIn(record, agreed.appId).flatMap(({ property, entry, isBack }) => {
    // Somebody may have changed the record in the moment of the write.
    const told = [entry.timestamp, entry.timestamp - lateMs].flatMap((atMs) =>
      toldBy(valuesAt(record, atMs)),
    );
    const isKnown = told.some((each) => !(property in each) || each[property]?.includes(entry.value));
    if (isKnown || isBack || entry.value === '' || (told[0] && !(property in told[0]))) return [];
    return [`${property} of ${record.id} tells of somebody else: ${entry.value}`];
  });
}

/** A title belongs to its employer: it is not put beside another one that somebody has written down. */
function mixedEmployers({ agreed }: Evidence, record: StoredRecord): string[] {
  const lateMs = agreed.portalLatencyMs + AT_ONCE_MS;
  return oursIn(record, agreed.appId).flatMap(({ property, entry, isBack }) => {
    const employers = [entry.timestamp, entry.timestamp - lateMs].map(
      (atMs) => valuesAt(record, atMs)['company'] ?? '',
    );
    const isMixed = property === 'jobtitle' && employers.every((name) => name.startsWith('Firm '));
    return isMixed && !isBack ? [`jobtitle of ${record.id} is of another employer than ${employers[0]}`] : [];
  });
}

interface Ours {
  readonly property: string;
  readonly entry: HistoryEntry;
  /** Whether it was there before: an undo brings it back. */
  readonly isBack: boolean;
}

function oursIn({ history }: StoredRecord, appId: number): Ours[] {
  return Object.entries(history).flatMap(([property, newestFirst]) =>
    newestFirst.flatMap((entry, index) => {
      if (entry.sourceId !== String(appId) || property.startsWith('enrichment_')) return [];
      const isBack = newestFirst.slice(index + 1).some(({ value }) => value === entry.value);
      return [{ property, entry, isBack }];
    }),
  );
}

function valuesAt({ history }: StoredRecord, atMs: number): Values {
  const values = Object.entries(history).map(([property, newestFirst]) => [
    property,
    newestFirst.find(({ timestamp }) => timestamp <= atMs)?.value ?? '',
  ]);
  return Object.fromEntries(values);
}

function isNamed({ firstName, lastName, networkSlug, mobile, job, nextJob }: Person, held: Values): boolean {
  const slug = networkSlug && `linkedin.com/in/${networkSlug}`;
  const own = [slug, mobile, job.email, nextJob?.email];
  return (
    identifiersOf(held).some((each) => own.includes(each)) ||
    (firstName === held['firstname'] && lastName === held['lastname'])
  );
}

function toldOfPerson({ firstName, lastName, job, nextJob }: Person): Told {
  const jobs = [job, nextJob];
  return {
    firstname: [firstName],
    lastname: [lastName],
    jobtitle: jobs.map((one) => one?.title),
    company: jobs.map((one) => one?.company.name),
  };
}

function isCalled({ domains, networkSlug }: Company, { domain, linkedin_company_page: page }: Values) {
  return domains.includes(domain ?? '') || (page ?? '').endsWith(`/company/${networkSlug}`);
}

function toldOfCompany({ name, about, foundedYear }: Company): Told {
  return { name: [name], description: [about], founded_year: [String(foundedYear)] };
}
