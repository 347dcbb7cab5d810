import { type CrmRecord, recordKey } from '#shared/crm/crm-record.ts';
import { planQuestions, type SkipReason } from '#shared/enrichment/ask/plan.ts';
import { ownershipOf, paidFor } from '#shared/enrichment/memory.ts';
import { readRecords } from '#shared/enrichment/read-records.ts';
import type { EnrichmentServices, Held } from '#shared/enrichment/services.ts';
import { createMark, createNormalise } from '#shared/field-policy/normal-form.ts';
import { decideWrites } from '#shared/field-policy/overwrite.ts';
import { systemClock as clock } from '#shared/kernel/clock.system.ts';
import { systemIds as newId } from '#shared/kernel/ids.system.ts';
import { priceOfQuestion } from '#shared/questions/price.ts';
import type { Question } from '#shared/questions/question.ts';
import { newRecordState } from '#shared/records/record-state.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import type { Connection } from '../../connection/connection.ts';
import type { CliIo } from '../../terminal/cli-io.ts';
import { CliError, EXIT } from '../../terminal/exit.ts';
import { createAsker } from '../questions/asker.ts';
import type { RecordName } from './find-record.ts';

/** What a property holds, and whether the policy would let another value take its place. */
export interface ConsideredWrite {
  readonly property: string;
  readonly now: string | null;
  readonly rule: string;
  readonly mayBeWritten: boolean;
  /** Why not: `person-wrote`, `not-blank`, `never`, or `not-read` where the portal has no such property. */
  readonly kept?: string;
}

export interface PlannedQuestion {
  readonly question: Question;
  /** At most; 0 where a fresh answer is stored. */
  readonly credits: number;
}

export interface RecordPlan {
  /** Of the record that answers to the name: after a merge it is another. */
  readonly record: CrmRecord;
  /** In the order in which they may be asked: the next one only after "no match". */
  readonly questions: readonly PlannedQuestion[];
  readonly skip?: SkipReason;
  readonly credits: number;
  readonly writes: readonly ConsideredWrite[];
}

/** What a person's request for this record would ask and might write. Spends nothing, changes nothing. */
export async function planRecord(connection: Connection, name: RecordName, io: CliIo): Promise<RecordPlan> {
  const services = enrichmentServices(connection);
  const stored = await connection.services.records.read(recordKey(name));
  const state = stored?.value ?? newRecordState(name.objectType, name.id);
  refuseGone(state);
  const run = { id: 'plan', purpose: 'manual' as const, openedAtMs: clock.now(), credits: 0 };
  const held: Held = { ...name, state, run };
  const { found, failed } = await readRecords(services, name.objectType, [held]);
  const [read] = found;
  if (!read) throw unread(name, failed.length > 0);
  const { record } = read;
  const plan = planQuestions({
    record,
    policy: services.policy,
    ...ownershipOf(services, { ...read, state, run }),
    isPaidFor: paidFor(services, { run: state.run ?? run, state, record }),
  });
  const asker = createAsker(connection, { io, waitMs: 0 });
  const questions = plan.kind === 'ask' ? await priced(plan.questions, asker.stored) : [];
  return {
    record,
    questions,
    ...(plan.kind === 'skip' && { skip: plan.reason }),
    credits: questions.reduce((sum, { credits }) => sum + credits, 0),
    writes: plan.kind === 'ask' ? await considered(services, { state, record }) : [],
  };
}

/** What the worker is composed of, for one that runs in this process. */
export function enrichmentServices(connection: Connection): EnrichmentServices {
  const { services, policy, installedAtMs, ownAppId, logger } = connection;
  return { ...services, policy, installedAtMs, ownAppId, clock, newId, logger };
}

async function priced(
  questions: readonly Question[],
  stored: (question: Question) => Promise<unknown>,
): Promise<PlannedQuestion[]> {
  return Promise.all(
    questions.map(async (question) => {
      const isStored = (await stored(question)) !== undefined;
      return { question, credits: isStored ? 0 : priceOfQuestion(question) };
    }),
  );
}

interface Known {
  readonly state: RecordState;
  readonly record: CrmRecord;
}

/** Longer than any value and like none: whatever an answer says, the rule decides as it does for this. */
const ANOTHER_VALUE = 'a value that differs from what is there';

async function considered(
  services: EnrichmentServices,
  { state, record }: Known,
): Promise<ConsideredWrite[]> {
  const definitions = await services.crm.definitions(record.objectType);
  const rules = new Map(services.policy.fields[record.objectType].map((rule) => [rule.property, rule]));
  const { writes, kept } = decideWrites({
    proposed: [...rules.values()].map((rule) => ({ property: rule.property, value: ANOTHER_VALUE, rule })),
    current: record.properties,
    lastWritten: state.lastWritten,
    pinned: state.pinned,
    asked: true,
    mark: createMark({ definitions, hash: services.digest.keyed }),
    normalise: createNormalise(definitions),
  });
  const reasons = new Map<string, string>(kept.map(({ property, reason }) => [property, reason]));
  return [...rules.values()].map(({ property, write }) => {
    const reason = reasons.get(property);
    const now = record.properties[property] ?? null;
    const mayBeWritten = Object.hasOwn(writes, property);
    return { property, now, rule: write, mayBeWritten, ...(reason !== undefined && { kept: reason }) };
  });
}

/** Whatever is asked for them comes too late; a worker would not even answer. */
function refuseGone({ objectType, id, forgottenAtMs, mergedInto }: RecordState): void {
  const name = `${objectType}/${id}`;
  if (forgottenAtMs !== undefined)
    throw new CliError(`The person of ${name} asked to be forgotten.`, {
      exit: EXIT.failed,
      code: 'forgotten',
    });
  if (mergedInto !== undefined)
    throw new CliError(`${name} was merged into ${objectType}/${mergedInto}; take that one.`, {
      exit: EXIT.notFound,
      code: 'merged',
    });
}

function unread({ objectType, id }: RecordName, failed: boolean): CliError {
  const name = `${objectType}/${id}`;
  return failed
    ? new CliError(`HubSpot does not tell of ${name}; try again.`, { exit: EXIT.failed, code: 'unreadable' })
    : new CliError(`HubSpot has no ${name}.`, { exit: EXIT.notFound, code: 'no-record' });
}
