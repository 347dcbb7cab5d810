import type { ObjectType } from '#shared/crm';
import { isHubSpotFailure } from '#shared/crm';
import { assert } from '#shared/kernel';
import type { AnswerVerdict, Explanation } from '#shared/ownership';
import { because, type WaitingReason, waitingWords } from '#shared/records';
import type { RecordAnswer } from '../ask/answered.ts';
import { subjectKeys } from '../ask/known-answer.ts';
import { noteAnswer } from '../ask/price-limit.ts';
import { hubSpotFailure } from '../failures.ts';
import type { EnrichmentServices, RecordClaim, RunOutcome } from '../services.ts';
import { settleRecord, storeFindings } from '../settle-record.ts';
import { readWithEmptied, unknownBlanks } from '../write-back/by-history.ts';
import { isStatus } from '../write-back/draft.ts';
import { type RunEnd, writeBack } from '../write-back/write-back.ts';
import { type Acceptance, gone, type HeldFinding } from './acceptance.ts';
import { acceptedAnswer, type NoAcceptedAnswer } from './accepted-answer.ts';

interface Group {
  readonly objectType: ObjectType;
  readonly heldFindings: readonly HeldFinding[];
  /** Attempts and waits end before this time, epoch milliseconds. */
  readonly untilMs: number;
}

/** Writes the accepted answers. Settles every record that is held for them, even if HubSpot fails. */
export async function writeAccepted(services: EnrichmentServices, group: Group): Promise<Acceptance[]> {
  try {
    return await write(services, group);
  } catch (error) {
    if (!isHubSpotFailure(error)) throw error;
    const later = { kind: 'deferred', ...hubSpotFailure(error, services), learned: {} } as const;
    return Promise.all(
      group.heldFindings.map(async ({ name, held }) => {
        await settleRecord(services, held, { ...later, credits: held.run.credits });
        return { ...name, result: 'later', reason: writeWaits(later) } as const;
      }),
    );
  }
}

async function write(services: EnrichmentServices, group: Group): Promise<Acceptance[]> {
  const { objectType, heldFindings, untilMs } = group;
  const byId = new Map(heldFindings.map((each) => [each.held.id, each]));
  const findingOf = ({ id }: RecordClaim): HeldFinding => {
    const found = byId.get(id);
    assert(found, 'a read record has an accepted finding');
    return found;
  };
  const held = heldFindings.map((each) => each.held);
  const read = await readWithEmptied(services, { objectType, held }, (each) =>
    unknownBlanks(services.policy, each),
  );
  const results: Acceptance[] = [];
  for (const held of read.missing)
    results.push(await release(services, findingOf(held), { reason: because('gone'), isGone: true }));
  for (const held of read.failed) {
    await settleRecord(services, held, unreadable(services, held));
    results.push({ ...findingOf(held).name, result: 'later', reason: because('record-not-returned') });
  }
  const answers: RecordAnswer[] = [];
  const subjects = new Map<string, readonly string[]>();
  for (const held of read.found) {
    const carried = findingOf(held);
    const answered = await acceptedAnswer(services, held, carried.finding);
    if (typeof answered === 'string') {
      results.push(await release(services, carried, { reason: NO_ANSWER_REASONS[answered] }));
      continue;
    }
    const { questionKey } = carried.answer;
    await noteAnswer(services, held, { questionKey, credits: held.run.credits });
    answers.push(answered);
    if (answered.kind === 'found')
      subjects.set(
        held.id,
        subjectKeys(services.digest, { operation: answered.operation, record: answered.answer }),
      );
  }
  if (answers.length === 0) return results;
  for (const ended of await writeBack(services, { objectType, answers, untilMs })) {
    const each = findingOf(ended.held);
    if ('error' in ended) throw ended.error;
    results.push(await finish(services, each, { ...ended, about: subjects.get(ended.held.id) }));
  }
  return results;
}

const NO_ANSWER_REASONS: Readonly<Record<NoAcceptedAnswer, Explanation>> = {
  'not-stored': because('answer-not-stored'),
  'other-record': because('identity-changed'),
  rejected: because('rejected-by-person'),
};

async function finish(
  services: EnrichmentServices,
  { name, finding, answer }: HeldFinding,
  { held, runOutcome, findings, written, kept = [], about }: RunEnd & Pick<AnswerVerdict, 'about'>,
): Promise<Acceptance> {
  const { questionKey, askedAtMs } = answer;
  const inSpiteOf =
    finding.kind === 'contradiction' || finding.kind === 'job-change' ? finding.kind : undefined;
  const learned = {
    ...runOutcome.learned,
    ...(inSpiteOf && {
      verdicts: [...(runOutcome.learned.verdicts ?? []), { questionKey, askedAtMs, inSpiteOf, about }],
    }),
  };
  const settledOutcome = await storeFindings(services, {
    held,
    runOutcome: { ...runOutcome, learned },
    findings,
  });
  if (settledOutcome.kind === 'deferred') {
    await settleRecord(services, held, settledOutcome);
    return { ...name, result: 'later', reason: writeWaits(settledOutcome) };
  }
  await services.reviews.decide(name.record, name.kind, 'done');
  await settleRecord(services, held, settledOutcome);
  const { reason } = settledOutcome;
  if (settledOutcome.learned.isGone) return { ...name, result: 'gone', reason };
  const wanted = new Set(finding.properties);
  return {
    ...{ ...name, result: 'done', reason },
    written: written.flatMap(({ property }) => (isStatus(property) ? [] : property)),
    kept: kept.filter(({ property, reason }) => reason !== 'same' && wanted.has(property)),
  };
}

function writeWaits({
  reason: wait,
  detail,
}: {
  reason: WaitingReason;
  detail?: string | undefined;
}): Explanation {
  return because('write-waits', { wait, why: detail ?? waitingWords(wait).why });
}

/** Releases a record without writing to it. */
async function release(
  services: EnrichmentServices,
  { name, held }: HeldFinding,
  { reason, isGone = false }: { readonly reason: Explanation; readonly isGone?: boolean },
): Promise<Acceptance> {
  const { staleAtMs } = held.state;
  const acceptance = await gone(services, name, reason);
  await settleRecord(services, held, {
    ...{ kind: 'outcome', outcome: isGone ? 'skipped' : 'unchanged', reason, credits: held.run.credits },
    learned: { ...(staleAtMs !== undefined && { staleAtMs }), isGone },
  });
  return acceptance;
}

function unreadable({ clock }: EnrichmentServices, held: RecordClaim): RunOutcome {
  const untilMs = clock.now();
  const { credits } = held.run;
  return { kind: 'deferred', reason: 'HUBSPOT_RECORD_UNREACHABLE', untilMs, credits, learned: {} };
}
