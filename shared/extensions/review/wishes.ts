import { type RecordName, shownValue } from '#shared/crm';
import type { EnrichmentServices } from '#shared/enrichment';
import { employerProperties } from '#shared/field-policy';
import { instant } from '#shared/kernel';
import { changeRecord, explanationText, learnOwnership, type RecordState, recordKind } from '#shared/records';
import {
  type AskedForRecord,
  type Reply,
  type RequestServices,
  recordWish,
  type WishHandler,
} from '#shared/requests';
import { type Decided, type Finding, isUndecided } from '#shared/review';
import { acceptFindings, type FindingName } from './accept.ts';
import { previewFindings } from './preview.ts';
import { rejectFinding } from './reject-finding.ts';
import { decidedReply, refusedReply } from './reply-texts.ts';
import {
  type AcceptWish,
  acceptWish,
  type FindingRequest,
  type PreviewWish,
  previewWish,
  type RejectWish,
  rejectWish,
} from './schemas.ts';

/** Handle decisions about findings, on the card and on the home page. */
export const reviewWishes = (): readonly WishHandler[] => [
  recordWish(previewWish, previewAsAsked),
  recordWish(acceptWish, acceptAsAsked, {
    changesHome: true,
    // Its values are of another person or company than the record.
    listOf: ({ finding }) => (finding === 'contradiction' ? 'decide' : undefined),
  }),
  recordWish(rejectWish, rejectAsAsked, { changesHome: true }),
];

/** Stores, for some minutes, the values that accepting the finding would write now. Changes nothing in HubSpot. */
async function previewAsAsked(
  services: RequestServices,
  wish: PreviewWish,
  asked: AskedForRecord,
): Promise<Reply> {
  const found = await openFinding(services, wish, asked);
  if ('kind' in found) return found;
  const { record } = found.name;
  const [previewed] = await previewFindings(services, record.objectType, [found.name]);
  const definitions = await services.crm.definitions(record.objectType);
  const offered = Object.fromEntries((previewed?.changes ?? []).map((each) => [each.property, each]));
  const proposals = Object.entries(offered).map(([property, { proposed }]) => [property, proposed]);
  const shownProperties: Readonly<Record<string, string>> = {
    ...previewed?.subject,
    ...Object.fromEntries(proposals),
  };
  const values = await presentValues(services, record, Object.keys(shownProperties));
  const changes = Object.entries(shownProperties).flatMap(([property, proposed]) => {
    const definition = definitions.get(property);
    const label = definition?.label ?? property;
    const now = values[property] ?? null;
    const isKept = offered[property] === undefined;
    if (now === proposed && !isKept) return [];
    const shown = (value: string) =>
      definition ? shownValue(definition, value, services.policy.timeZone) : value;
    const row = { property, label, now: now === null ? null : shown(now), proposed: shown(proposed) };
    return [{ ...row, ...(isKept ? { isKept } : { isIdentity: offered[property]?.isIdentity }) }];
  });
  const { id: requestId } = asked;
  const { objectType, id: recordId } = record;
  const atMs = services.clock.now();
  await services.reviews.keepPreview({
    requestId,
    objectType,
    recordId,
    atMs,
    says: previewed?.says,
    fitsIdentifier: previewed?.fitsIdentifier,
    changes,
  });
  if (await isForgotten(services, record)) {
    // The privacy deletion may have run before the values were stored.
    await services.reviews.purge(record, false);
    return NOT_OPEN;
  }
  return { kind: 'previewed' };
}

/** Writes the stored answer, or only its chosen values. Costs no credits. */
async function acceptAsAsked(
  services: RequestServices,
  wish: AcceptWish,
  asked: AskedForRecord,
): Promise<Reply> {
  const found = await openFinding(services, wish, asked);
  if ('kind' in found) return found;
  const { name, finding } = found;
  const [previewed] = await previewFindings(services, name.record.objectType, [name]);
  const offered = previewed?.changes ?? [];
  const isChosen = (property: string) => wish.properties?.includes(property) !== false;
  const takesIdentity = offered.some(({ property, isIdentity }) => isIdentity && isChosen(property));
  if (takesIdentity && !wish.confirmsIdentity) return refusedReply('identity-unconfirmed', {});
  if (wish.properties) {
    const offers = offered.map(({ property }) => property);
    const choice = await choose(services, { name, finding, offers, chosen: wish.properties });
    if (choice === 'nothing') return refusedReply('nothing-offered', {});
  }
  const [acceptance] = await acceptFindings(services, name.record.objectType, [name]);
  switch (acceptance?.result) {
    case 'done': {
      const { written, kept: left, reason: why } = acceptance;
      const kept = left.map(({ property, code, says: reason }) => ({ property, code, reason }));
      return { ...decidedReply('values-written', { values: written.length }, explanationText(why)), kept };
    }
    case 'later':
      return refusedReply('accept-later', {}, explanationText(acceptance.reason));
    case 'gone':
      return refusedReply('acceptance-gone', {}, explanationText(acceptance.reason));
    case 'refused':
      return notOpen(services, acceptance);
    default:
      return NOT_OPEN;
  }
}

/** Rejects the finding, and says whether values were undone. */
async function rejectAsAsked(
  services: RequestServices,
  wish: RejectWish,
  asked: AskedForRecord,
): Promise<Reply> {
  const found = await openFinding(services, wish, asked);
  if ('kind' in found) return found;
  const rejected = await rejectFinding(services, { ...found.name, isOtherPerson: wish.isOtherPerson });
  if (rejected.kind === 'refused') return notOpen(services, rejected);
  const { statusReset } = rejected;
  if (statusReset === 'busy') return decidedReply('finding-rejected-late', {});
  const values = typeof statusReset === 'object' ? statusReset.restored.length : 0;
  return values > 0 ? decidedReply('finding-undone', { values }) : decidedReply('finding-rejected', {});
}

const NOT_OPEN = refusedReply('finding-closed', {});

/** The reply about a finding that was decided before, by whom and when. */
function notOpen(
  { policy }: Pick<EnrichmentServices, 'policy'>,
  { state, decidedBy: by, decidedAtMs: atMs }: Omit<Extract<Decided, { kind: 'refused' }>, 'kind'>,
): Reply {
  if (state === 'none' || by === undefined || atMs === undefined) return NOT_OPEN;
  return refusedReply('finding-decided', { state, by, at: instant(atMs, policy.timeZone) });
}

/** Returns the finding that the page showed, if it is still undecided, or its rejection is not carried out. */
async function openFinding(
  services: Pick<EnrichmentServices, 'reviews' | 'policy'>,
  { kind: move, finding: kind, foundAtMs }: FindingRequest,
  { record, askedBy: decidedBy = 'user' }: AskedForRecord,
): Promise<{ readonly name: FindingName; readonly finding: Finding } | Reply> {
  const finding = (await services.reviews.read(record))?.findings.find((stored) => stored.kind === kind);
  if (finding?.foundAtMs !== foundAtMs) return NOT_OPEN;
  const isOpen = isUndecided(finding) || (move === 'reject' && finding.isPending);
  return isOpen ? { name: { record, kind, decidedBy }, finding } : notOpen(services, finding);
}

interface Choice {
  readonly name: FindingName;
  readonly finding: Finding;
  /** Properties that accepting would write now. */
  readonly offers: readonly string[];
  readonly chosen: readonly string[];
}

/**
 * Declines the values that the person did not choose, also those that the page did not show. The values of a new job are
 * chosen together.
 * @returns `nothing` if no chosen value is offered. The finding then stays open.
 */
async function choose(
  services: RequestServices,
  { name, finding, offers, chosen }: Choice,
): Promise<'chosen' | 'nothing'> {
  const { kind, answer, properties = [] } = finding;
  if (!answer) return 'chosen';
  const ofJob = kind === 'job-change' ? employerProperties(services.policy) : [];
  const takesJob = ofJob.some((property) => chosen.includes(property));
  const offered = new Set([...properties, ...offers]);
  const declined = [...offered].filter(
    (property) => !chosen.includes(property) && !(takesJob && ofJob.includes(property)),
  );
  if (declined.length === offered.size) return 'nothing';
  if (declined.length === 0) return 'chosen';
  const { questionKey, askedAtMs } = answer;
  await changeRecord(services, name.record, (state): { state?: RecordState } =>
    state.forgottenAtMs === undefined
      ? { state: learnOwnership(state, { verdicts: [{ questionKey, askedAtMs, declined }] }) }
      : {},
  );
  return 'chosen';
}

/** Reads the values in HubSpot now, also of properties that a plan writes without a read. */
async function presentValues(
  { crm }: Pick<EnrichmentServices, 'crm'>,
  { objectType, id }: RecordName,
  properties: readonly string[],
): Promise<Readonly<Record<string, string | null>>> {
  if (properties.length === 0) return {};
  const { records } = await crm.read({ objectType, ids: [id], properties });
  return records.get(id)?.properties ?? {};
}

async function isForgotten(
  { records }: Pick<EnrichmentServices, 'records'>,
  name: RecordName,
): Promise<boolean> {
  return (await records.read(recordKind.key(name)))?.value.forgottenAtMs !== undefined;
}
