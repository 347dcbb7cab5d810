import type { CrmRecord, CrmWriteResult, PropertyDefinitions } from '#shared/crm';
import type { LeftOut } from './draft.ts';
import type { PlannedWrite } from './planned-write.ts';

/** A write of an undo or of a removal, which removes our values. */
interface TakeBackWrite extends PlannedWrite {
  readonly draft: PlannedWrite['draft'] & { readonly leftOut?: readonly LeftOut[] | undefined };
}

/** Returns the draft without the properties that HubSpot refused; `undefined` if none can be left out. */
export function withoutRefusedReturns<P extends TakeBackWrite>(
  { draft, writes, back }: P,
  { properties, reason }: Extract<CrmWriteResult, { kind: 'refused' }>,
): P['draft'] | undefined {
  const refused = properties.filter((name) => Object.hasOwn(writes, name) && !Object.hasOwn(back, name));
  if (refused.length === 0) return undefined;
  const leftOut = refused.map((property) => ({ property, reason }));
  return { ...draft, leftOut: [...(draft.leftOut ?? []), ...leftOut] };
}

interface StatusInput {
  readonly definitions: PropertyDefinitions;
  readonly current: CrmRecord | undefined;
  readonly leftOut?: readonly LeftOut[] | undefined;
}

/** Returns the statuses to write: the portal has the property, shows another value, and did not refuse this one. */
export function differingStatuses(
  statuses: Readonly<Record<string, string>>,
  { definitions, current, leftOut = [] }: StatusInput,
): Record<string, string> {
  const mustBeWritten = ([property, value]: [string, string]) =>
    definitions.has(property) &&
    (current?.properties[property] ?? '') !== value &&
    !leftOut.some((each) => each.property === property);
  return Object.fromEntries(Object.entries(statuses).filter(mustBeWritten));
}
