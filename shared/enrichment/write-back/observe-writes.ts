import type { ObjectType } from '#shared/crm';
import type { WriteObservation } from '#shared/records';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { withUnread } from '../unread-values.ts';
import type { WritePlan } from './plan-writes.ts';
import type { WriteResult } from './planned-write.ts';

type WriteRefusal = WriteObservation['refused'][number];

/**
 * Observes whether HubSpot accepts paid values. Each record counts one time, because a retry that is refused again says
 * nothing about other records.
 */
export function observeWrites(
  services: Pick<EnrichmentServices, 'crm'>,
  objectType: ObjectType,
  results: readonly WriteResult<WritePlan>[],
): WriteObservation | undefined {
  const records = results.flatMap((each) =>
    each.kind === 'done' && each.result?.kind === 'written' && each.plan.filled.length > 0
      ? [each.plan.draft.held.record]
      : [],
  );
  const refused = results.flatMap((each) => refusedWhole(each) ?? []);
  if (records.length + refused.length === 0) return undefined;
  return { writtenValues: (names) => withUnread(services, objectType, { records, names }), refused };
}

function refusedWhole(written: WriteResult<WritePlan>): WriteRefusal | undefined {
  if (written.kind === 'unjournalled') return undefined;
  const { held } = written.kind === 'done' ? written.plan.draft : written.draft;
  if (held.run.answeredQuestion !== undefined) return undefined;
  if (written.kind === 'stopped') {
    const { code, message: reason } = written.error;
    return code === 'HUBSPOT_FORBIDDEN' ? { reason, traits: {} } : undefined;
  }
  const { plan, result } = written;
  if (result?.kind !== 'refused' || plan.filled.length === 0) return undefined;
  const { reason, properties } = result;
  const isRequired = properties.length > 0 && reason.includes('MISSING_');
  return { reason, traits: isRequired ? traitsOf(held, properties) : {} };
}

/**
 * Returns the possible causes: the record's choices, which a rule's condition may name, and the blank properties that
 * the rule requires.
 */
function traitsOf(
  { record, definitions }: ClaimedRecord,
  required: readonly string[],
): WriteRefusal['traits'] {
  const choices = Object.entries(record.properties).flatMap(([name, value]) =>
    value && definitions.get(name)?.type === 'enumeration' && !name.startsWith('enrichment_')
      ? [[name, value] as const]
      : [],
  );
  return Object.fromEntries([...choices, ...required.map((name) => [name, ''] as const)]);
}
