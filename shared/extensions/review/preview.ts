import {
  type CrmRecord,
  isAboutPerson,
  OBJECT_TYPE_ROWS,
  type ObjectType,
  type RecordName,
} from '#shared/crm';
import {
  type ClaimedRecord,
  draftsOf,
  type EnrichmentServices,
  isStatus,
  ownershipOf,
  ownQuestionAnsweredBy,
  ownQuestions,
  type PortalShape,
  planWrites,
  portalOf,
  type RecordClaim,
  readWithEmptied,
  unknownBlanks,
} from '#shared/enrichment';
import { fitsIdentifier, subjectOf, textOf, WATCHED_PROPERTIES } from '#shared/identity';
import { longMonth } from '#shared/kernel';
import type { Question } from '#shared/questions';
import { recordKind } from '#shared/records';
import { type Finding, type FindingKind, isUndecided } from '#shared/review';
import { acceptedAnswer, type FindingName } from './accept.ts';

/** What accepting a finding would do now. Holds values. */
interface PreviewedFinding extends FindingName {
  readonly changes: readonly {
    readonly property: string;
    readonly now: string | null;
    readonly proposed: string;
    /** Set if the value says whom the record is about, and the answer is about another person or company. */
    readonly isIdentity?: boolean | undefined;
  }[];
  /** Of a contradiction or a job change: what was looked up, and the record beside the answer, in sentences. */
  readonly says?: string | undefined;
  /** Set if the answer of a contradiction fits the record's email, page or domain. */
  readonly fitsIdentifier?: true | undefined;
  /** Of a contradiction: values that show whom the answer is about, by HubSpot property. Otherwise empty. */
  readonly subject: Readonly<Record<string, string>>;
}

/** Returns what accepting these findings would do now. Changes nothing. Leaves out findings without a usable answer. */
export async function previewFindings(
  services: EnrichmentServices,
  objectType: ObjectType,
  names: readonly FindingName[],
): Promise<PreviewedFinding[]> {
  const findings = new Map<string, Finding>();
  const held: RecordClaim[] = [];
  for (const { record, kind } of names) {
    const state = (await services.records.read(recordKind.key(record)))?.value;
    const review = await services.reviews.read(record);
    const finding = review?.findings.find((each) => each.kind === kind && isUndecided(each));
    if (!state || !finding?.answer) continue;
    findings.set(record.id, finding);
    const run = { id: 'preview', purpose: finding.purpose, openedAtMs: services.clock.now(), credits: 0 };
    held.push({ ...nameOf(record), state, run });
  }
  const { found } = await readWithEmptied(services, { objectType, held }, (each) =>
    unknownBlanks(services.policy, each),
  );
  const portal = await portalOf(services, objectType);
  const previewed = await Promise.all(
    found.map(async (each) => {
      const finding = findings.get(each.id);
      return finding ? previewOf(services, { held: each, finding, portal }) : [];
    }),
  );
  return previewed.flat();
}

interface Previewed {
  readonly held: ClaimedRecord;
  readonly finding: Finding;
  readonly portal: PortalShape;
}

async function previewOf(
  services: EnrichmentServices,
  { held, finding, portal }: Previewed,
): Promise<PreviewedFinding[]> {
  const answered = await acceptedAnswer(services, held, finding);
  if (typeof answered === 'string' || answered.kind !== 'found') return [];
  const { definitions } = portal;
  const now = { records: new Map([[held.id, held.record]]), failed: new Map<string, string>() };
  const drafts = await draftsOf(services, [answered], portal);
  const planned = drafts.map((draft) =>
    // A person decides about the answer, so no rule does.
    planWrites(services, draft, { now, definitions, recovered: new Map(), isKnown: undefined }),
  );
  const { kind } = finding;
  const isContradiction = kind === 'contradiction';
  const changes = planned
    .flatMap(({ writes }) => Object.entries(writes))
    .filter(([property]) => !isStatus(property))
    .map(([property, proposed]) => ({
      property,
      proposed,
      now: held.record.properties[property] ?? null,
      ...(isContradiction && WATCHED_PROPERTIES[held.objectType].includes(property) && { isIdentity: true }),
    }));
  const previewed = { record: nameOf(held), kind, changes };
  const { record } = held;
  const { answer, questionKey: key, operation } = answered;
  if (!isContradiction) return [{ ...previewed, subject: {}, says: saidOf(kind, record, answer) }];
  const own = ownQuestions(services, { record, ownership: ownershipOf(services, held) });
  const asked = ownQuestionAnsweredBy(services, own, { key, operation, record: answer });
  return [
    {
      ...previewed,
      subject: subjectOf(record.objectType, answer),
      says: `${lookedUp(asked)}${saidOf(kind, record, answer)}`,
      ...(fitsIdentifier(record, answer) && { fitsIdentifier: true }),
    },
  ];
}

/** The question is absent if the record's values no longer lead to it. */
function lookedUp(question: Pick<Question, 'by'> | undefined): string {
  return question ? `Looked up: ${Object.values(question.by).join(', ')}. ` : '';
}

type Answer = Readonly<Record<string, unknown>>;

/** Names both jobs of a job change; if no former job is known, or of a contradiction, the record and the answer. */
function saidOf(kind: FindingKind, record: CrmRecord, answer: Answer): string | undefined {
  const fact = (field: string) => (typeof answer[field] === 'string' ? answer[field] : undefined);
  const known = (property: string) => textOf(record, property);
  if (kind === 'job-change') {
    const since = fact('jobStartDate');
    const job = jobWords(fact('employerName') ?? fact('employerDomain'), fact('title'));
    const present = `${job}${since === undefined ? '' : ` since ${longMonth(since.slice(0, 7))}`}.`;
    const [employer, title] = [known('company') ?? known('website'), known('jobtitle')];
    if (employer ?? title) return `Moved from ${jobWords(employer, title)} to ${present}`;
    const contact = known('email') ?? record.companyDomain;
    return contact && `HubSpot: ${contact}. The answer: ${present}`;
  }
  if (kind !== 'contradiction') return undefined;
  const properties = isAboutPerson(record) ? (['firstname', 'lastname'] as const) : (['name'] as const);
  const answered = subjectOf(record.objectType, answer);
  const nameIn = (named: (property: string) => string | undefined) =>
    properties.flatMap((property) => named(property) ?? []).join(' ');
  const noun = `a ${OBJECT_TYPE_ROWS[record.objectType].singular} without a name`;
  const place = isAboutPerson(record) ? 'company' : 'domain';
  const said = (named: (property: string) => string | undefined, otherwise?: string) =>
    [nameIn(named) || noun, named(place) ?? otherwise ?? []].flat().join(', ');
  return `HubSpot: ${said(known, record.companyDomain)}. The answer: ${said((each) => answered[each])}.`;
}

function jobWords(employer: string | undefined, title: string | undefined): string {
  return `${employer ?? 'an unknown employer'}${title === undefined ? '' : ` (${title})`}`;
}

function nameOf({ objectType, id }: RecordName): RecordName {
  return { objectType, id };
}
