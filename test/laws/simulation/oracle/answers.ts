import type { Company, Person } from '../../../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { HistoryEntry, StoredRecord } from '../../../../infra/sandbox/hubspot/state.ts';
import type { Evidence } from './evidence.ts';
import { identifiersOf } from './people.ts';

/** Time from reading to writing, in addition to the request itself. */
const AT_ONCE_MS = 100;

/** Values in a record belong only to the person or company that the record names. */
export function answerFaults(evidence: Evidence): string[] {
  const { agreed, hubSpot } = evidence;
  // A late write carries values of an earlier time.
  if (agreed.hasLateWrites) return [];
  const contacts = Object.values(hubSpot.records['0-1']);
  const people = listed(evidence.people, namesOfPerson);
  const companies = listed(evidence.companies, namesOfCompany);
  return [
    ...contacts.flatMap((record) =>
      strange(evidence, record, (held) => namesInContact(held).flatMap((name) => people.get(name) ?? [])),
    ),
    ...Object.values(hubSpot.records['0-2']).flatMap((record) =>
      strange(evidence, record, (held) => namesInCompany(held).flatMap((name) => companies.get(name) ?? [])),
    ),
    ...contacts.flatMap((record) => mixedEmployers(evidence, record)),
  ];
}

type Values = Readonly<Record<string, string>>;
type Told = Readonly<Record<string, readonly (string | undefined)[]>>;

type Listed = ReadonlyMap<string, readonly Told[]>;

/** Cached, because the stand-in's people and companies are the same in all courses of a process. */
const lists = new WeakMap<readonly unknown[], Listed>();

/** Possible values of each person or company, by each of its names. */
function listed<T>(
  all: readonly T[],
  read: (one: T) => { readonly names: readonly string[]; readonly told: Told },
): Listed {
  const known = lists.get(all);
  if (known) return known;
  const found = new Map<string, Told[]>();
  for (const { names, told } of all.map(read))
    for (const name of names) {
      const those = found.get(name);
      if (those) those.push(told);
      else found.set(name, [told]);
    }
  lists.set(all, found);
  return found;
}

/** @param toldBy returns the possible values for a record's identity. */
function strange({ agreed }: Evidence, record: StoredRecord, toldBy: (held: Values) => Told[]): string[] {
  const lateMs = agreed.portalLatencyMs + AT_ONCE_MS;
  return oursIn(record, agreed.appId).flatMap(({ property, entry, isBack }) => {
    if (isBack || entry.value === '' || !TOLD.has(property)) return [];
    // A person may have changed the record at the moment of the write.
    const times = [entry.timestamp, entry.timestamp - lateMs];
    const told = times.flatMap((atMs) => toldBy(valuesAt(record, atMs)));
    return told.some((each) => each[property]?.includes(entry.value))
      ? []
      : [`${property} of ${record.id} belongs to another person or company: ${entry.value}`];
  });
}

/**
 * A title belongs to its employer. It is not written beside another employer that a person entered, unless another
 * value shows that both are the same.
 */
function mixedEmployers({ agreed, people }: Evidence, record: StoredRecord): string[] {
  const lateMs = agreed.portalLatencyMs + AT_ONCE_MS;
  return oursIn(record, agreed.appId).flatMap(({ property, entry, isBack }) => {
    const held = [entry.timestamp, entry.timestamp - lateMs].map((atMs) => valuesAt(record, atMs));
    const isOther = held.every(({ company = '' }) => company.startsWith('Firm '));
    if (property !== 'jobtitle' || isBack || !isOther) return [];
    const employers = people.flatMap(({ job, nextJob }) => [job, nextJob ?? []].flat());
    const isSame = employers.some(
      ({ title, company: { domains } }) =>
        title === entry.value && held.some(({ website = '' }) => domains.includes(website)),
    );
    return isSame ? [] : [`jobtitle of ${record.id} is of another employer than ${held[0]?.['company']}`];
  });
}

interface Ours {
  readonly property: string;
  readonly entry: HistoryEntry;
  /** Whether the value was there before, so that an undo restored it. */
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

const TOLD: ReadonlySet<string> = new Set([
  'firstname',
  'lastname',
  'jobtitle',
  'company',
  'name',
  'description',
  'founded_year',
]);

function namesOfPerson({ firstName, lastName, networkSlug, mobile, job, nextJob }: Person) {
  const slug = networkSlug && `linkedin.com/in/${networkSlug}`;
  const jobs = [job, nextJob];
  const names = [slug, mobile, ...jobs.map((one) => one?.email), `${firstName} ${lastName}`];
  return {
    names: names.flatMap((name) => name ?? []),
    told: {
      firstname: [firstName],
      lastname: [lastName],
      jobtitle: jobs.map((one) => one?.title),
      company: jobs.map((one) => one?.company.name),
    },
  };
}

function namesInContact(held: Values): string[] {
  return [...identifiersOf(held), `${held['firstname']} ${held['lastname']}`];
}

function namesOfCompany({ domains, networkSlug, name, about, foundedYear }: Company) {
  return {
    names: [...domains, networkSlug],
    told: { name: [name], description: [about], founded_year: [String(foundedYear)] },
  };
}

function namesInCompany({ domain = '', linkedin_company_page: page = '' }: Values): string[] {
  return [domain, page.split('/').at(-1) ?? ''];
}
