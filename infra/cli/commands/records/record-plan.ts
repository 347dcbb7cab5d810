import type { CrmRecord } from '#shared/crm/crm-record.ts';
import type { SkipReason } from '#shared/enrichment/ask/plan.ts';
import { type PlannedQuestion, type PlannedRequest, planRequest } from '#shared/enrichment/requests/quote.ts';
import type { EnrichmentServices } from '#shared/enrichment/services.ts';
import { createMark, createNormalise } from '#shared/field-policy/normal-form.ts';
import { decideWrites } from '#shared/field-policy/overwrite.ts';
import { systemClock as clock } from '#shared/kernel/clock.system.ts';
import { unreachable } from '#shared/kernel/errors.ts';
import { systemIds as newId } from '#shared/kernel/ids.system.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import type { Connection } from '../../connection/connection.ts';
import { CliError, EXIT, type ExitCode } from '../../terminal/exit.ts';
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
export async function planRecord(connection: Connection, name: RecordName): Promise<RecordPlan> {
  const services = enrichmentServices(connection);
  const planned = await planRequest(services, name);
  if (planned.kind !== 'planned') throw refusal(name, planned);
  const { plan, questions, credits, read } = planned;
  const { record, state } = read;
  return {
    record,
    questions,
    ...(plan.kind === 'skip' && { skip: plan.reason }),
    credits,
    writes: plan.kind === 'ask' ? await considered(services, { state, record }) : [],
  };
}

/** What the worker is composed of, for one that runs in this process. */
export function enrichmentServices(connection: Connection): EnrichmentServices {
  const { services, policy, installedAtMs, ownAppId, logger } = connection;
  return { ...services, policy, installedAtMs, ownAppId, clock, newId, logger };
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

/** Whatever is asked for them comes too late, or HubSpot has no such record. */
function refusal(
  { objectType, id }: RecordName,
  planned: Exclude<PlannedRequest, { kind: 'planned' }>,
): CliError {
  const name = `${objectType}/${id}`;
  const refused = (message: string, exit: ExitCode, code: string) => new CliError(message, { exit, code });
  switch (planned.kind) {
    case 'forgotten':
      return refused(`The person of ${name} asked to be forgotten.`, EXIT.failed, 'forgotten');
    case 'merged': {
      const message = `${name} was merged into ${objectType}/${planned.into}; take that one.`;
      return refused(message, EXIT.notFound, 'merged');
    }
    case 'unreadable':
      return refused(`HubSpot does not tell of ${name}; try again.`, EXIT.failed, 'unreadable');
    case 'missing':
      return refused(`HubSpot has no ${name}.`, EXIT.notFound, 'no-record');
    default:
      return unreachable(planned);
  }
}
