import type { ObjectType, RecordName } from '#shared/crm';
import { recordKind } from '#shared/records';
import { type Finding, isUndecided } from '#shared/review';
import { type PortalShape, portalOf } from '../read-records.ts';
import type { ClaimedRecord, EnrichmentServices, RecordClaim } from '../services.ts';
import { readWithEmptied, unknownBlanks } from '../write-back/by-history.ts';
import { draftsOf, isStatus } from '../write-back/draft.ts';
import { planWrites } from '../write-back/plan-writes.ts';
import type { FindingName } from './acceptance.ts';
import { acceptedAnswer } from './accepted-answer.ts';

/** A value that accepting the finding would write now. */
export interface PreviewedChange extends FindingName {
  readonly property: string;
  readonly now: string | null;
  readonly proposed: string;
}

/** Returns the values that accepting these findings would write now. Changes nothing. The result holds values. */
export async function previewFindings(
  services: EnrichmentServices,
  objectType: ObjectType,
  names: readonly FindingName[],
): Promise<PreviewedChange[]> {
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
  const changes = await Promise.all(
    found.map(async (each) => {
      const finding = findings.get(each.id);
      return finding ? changesOf(services, { held: each, finding, portal }) : [];
    }),
  );
  return changes.flat();
}

interface Previewed {
  readonly held: ClaimedRecord;
  readonly finding: Finding;
  readonly portal: PortalShape;
}

async function changesOf(
  services: EnrichmentServices,
  { held, finding, portal }: Previewed,
): Promise<PreviewedChange[]> {
  const answered = await acceptedAnswer(services, held, finding);
  if (typeof answered === 'string') return [];
  const { definitions } = portal;
  const now = { records: new Map([[held.id, held.record]]), failed: new Map<string, string>() };
  const drafts = await draftsOf(services, [answered], portal);
  const planned = drafts.map((draft) =>
    // A person decides about the answer, so no rule does.
    planWrites(services, draft, { now, definitions, recovered: new Map(), isKnown: undefined }),
  );
  return planned
    .flatMap(({ writes }) => Object.entries(writes))
    .filter(([property]) => !isStatus(property))
    .map(([property, proposed]) => ({
      ...{ record: nameOf(held), kind: finding.kind, property, proposed },
      now: held.record.properties[property] ?? null,
    }));
}

function nameOf({ objectType, id }: RecordName): RecordName {
  return { objectType, id };
}
