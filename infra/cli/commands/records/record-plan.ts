import type { CrmRecord, RecordName } from '#shared/crm';
import {
  type EnrichmentServices,
  type PlannedQuestion,
  type PlannedRequest,
  planRequest,
  type SkipReason,
} from '#shared/enrichment';
import { unreachable } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import { explanationText } from '#shared/records';
import { appIdOf } from '../../../local/require-access.ts';
import type { Connection } from '../../connection/connection.ts';
import { CliError, type ErrorCode } from '../../terminal/exit.ts';
import { type ConsideredWrite, considerWrites, type PlanVerdict } from './considered-writes.ts';

export interface RecordPlan {
  /** The record that HubSpot returns for the name. After a merge, this is another record. */
  readonly record: CrmRecord;
  /** Name of the policy's rule that admits the record. Absent if the policy has no rules. */
  readonly rule?: string;
  /** Questions in order. The next question is asked only after "no match". */
  readonly questions: readonly PlannedQuestion[];
  readonly skip?: SkipReason;
  readonly credits: number;
  /** What a person should know before the purchase. */
  readonly warning?: Explanation | undefined;
  /** End of the wait for free sources that applies without a person's request. Epoch milliseconds. */
  readonly waitsUntilMs?: number | undefined;
  readonly writes: readonly ConsideredWrite[];
  /** Outcome that the stored answers give. */
  readonly verdict?: PlanVerdict | undefined;
}

/** Plans the lookups and writes of a person's request for this record. Spends and changes nothing. */
export async function planRecordRequest(connection: Connection, name: RecordName): Promise<RecordPlan> {
  const services = await enrichmentServices(connection);
  const planned = await planRequest(services, name);
  if (planned.kind !== 'planned') throw refusal(name, planned);
  const { plan, questions, credits, read, warning, waitsUntilMs } = planned;
  const { record, admission } = read;
  const considered = plan.kind === 'ask' ? await considerWrites(services, read, questions) : { writes: [] };
  return {
    record,
    ...(admission.rule !== undefined && { rule: admission.rule }),
    questions,
    ...(plan.kind === 'skip' && { skip: plan.reason }),
    credits,
    warning,
    waitsUntilMs,
    ...considered,
  };
}

/** Services of a worker that runs in this process. */
export async function enrichmentServices(connection: Connection): Promise<EnrichmentServices> {
  const { services, policy, installedAtMs, clock, newId, logger } = connection;
  const ownAppId = appIdOf(await connection.ownApp());
  return { ...services, policy, installedAtMs, ownAppId, clock, newId, logger };
}

/** Error for a record that cannot be enriched. */
function refusal(
  { objectType, id }: RecordName,
  planned: Exclude<PlannedRequest, { kind: 'planned' }>,
): CliError {
  const name = `${objectType}/${id}`;
  const refused = (message: string, code: ErrorCode) => new CliError(message, { code });
  switch (planned.kind) {
    case 'forgotten':
      return refused(`The person of ${name} asked to be forgotten.`, 'forgotten');
    case 'merged': {
      const message = `${name} was merged into ${objectType}/${planned.into}; use that record.`;
      return refused(message, 'merged');
    }
    case 'unreadable':
      return refused(`HubSpot did not return ${name}. Try again.`, 'unreadable');
    case 'barred':
      return refused(`${name}: ${explanationText(planned.reason)}`, 'not-admitted');
    case 'missing':
      return refused(`HubSpot has no ${name}.`, 'no-record');
    default:
      return unreachable(planned);
  }
}
