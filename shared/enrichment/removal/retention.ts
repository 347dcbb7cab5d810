import type { ObjectType } from '#shared/crm';
import {
  type AnswerTimes,
  mayHaveExpired,
  type Policy,
  propertiesOfRetention,
  type Retention,
  retentionOf,
} from '#shared/field-policy';
import { IDENTIFYING_PROPERTIES } from '#shared/identity';
import { isUnderWay, type RecordState } from '#shared/records';
import { knownProperties, readWithCompanies } from '../read-records.ts';
import type { RemovalServices } from './plan-removal.ts';
import type { RemovalRequest } from './remove-values.ts';

/** Whether a record must be read, because a rule's time may be over or a removal is unfinished. */
export function mayBeDue(policy: Policy, state: RecordState, nowMs: number): boolean {
  if (state.forgottenAtMs !== undefined || state.mergedInto !== undefined) return false;
  if (isUnderWay(state)) return true;
  const times = timesOf(state);
  return times !== undefined && mayHaveExpired(policy, state.objectType, { times, nowMs });
}

function timesOf({ obtainedAtMs, answeredAtMs }: RecordState): AnswerTimes | undefined {
  return obtainedAtMs === undefined
    ? undefined
    : { obtainedAtMs, answeredAtMs: Math.max(obtainedAtMs, answeredAtMs ?? 0) };
}

export interface DueRecords {
  /** Due records with their removal, including unfinished removals. */
  readonly due: readonly RemovalRequest[];
  /** Rules that read a property which HubSpot does not have. It is unknown whether their records are due. */
  readonly unreadable: readonly Extract<Retention, { kind: 'unreadable' }>[];
}

/** Finds the records that must lose their values now, by the policy's rules and HubSpot's values. */
export async function dueRecords(
  services: Pick<RemovalServices, 'crm' | 'policy' | 'clock'>,
  objectType: ObjectType,
  states: readonly RecordState[],
): Promise<DueRecords> {
  const { crm, policy, clock } = services;
  const begun = states.flatMap((state) =>
    state.removal && !state.removal.isDone ? [{ state, removal: state.removal }] : [],
  );
  const others = states.filter((state) => !begun.some((begunRecord) => begunRecord.state === state));
  if (others.length === 0) return { due: begun, unreadable: [] };
  const rules = propertiesOfRetention(policy, objectType);
  const isKnown = await knownProperties(services, objectType, rules);
  const ownProperties = rules.own.filter((name) => isKnown(name, objectType));
  const properties = [...new Set([...IDENTIFYING_PROPERTIES[objectType], ...ownProperties])];
  const ids = others.map(({ id }) => id);
  const companyProperties = rules.company.filter((name) => isKnown(name, 'companies'));
  const { records } = await readWithCompanies(crm, { objectType, ids, properties, companyProperties });
  const nowMs = clock.now();
  const due: RemovalRequest[] = [...begun];
  const unreadable: DueRecords['unreadable'][number][] = [];
  for (const state of others) {
    const record = records.get(state.id);
    const times = timesOf(state);
    if (record?.id !== state.id || !times) continue;
    const retention = retentionOf(policy, record, { times, nowMs, isKnown });
    if (retention.kind === 'unreadable') unreadable.push(retention);
    if (retention.kind === 'until' && retention.endMs <= nowMs)
      due.push({ state, removal: { by: 'retention', rule: retention.rule, atMs: nowMs } });
  }
  return { due, unreadable };
}
