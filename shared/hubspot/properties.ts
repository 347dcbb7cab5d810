import { toBatchError } from './batch-errors.ts';
import { errorIn, readAnswer, requestIdOf } from './failures.ts';
import type {
  PropertyDefinition,
  PropertyGroupSpec,
  PropertyOption,
  PropertySpec,
} from './property-types.ts';
import { PropertyListSchema } from './schemas.ts';
import { API_VERSION, type Exchange } from './transport.ts';
import type { HubSpotObjectType } from './types.ts';

/** Of all properties, or of the one named. */
function pathOf(objectType: HubSpotObjectType, name?: string): string {
  const all = `/crm/properties/${API_VERSION}/${objectType}`;
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`;
}

export async function listProperties(
  exchange: Exchange,
  objectType: HubSpotObjectType,
  { archived = false }: { readonly archived?: boolean } = {},
): Promise<readonly PropertyDefinition[]> {
  const path = `${pathOf(objectType)}?archived=${archived}`;
  return readAnswer(await exchange({ method: 'GET', path }), PropertyListSchema).results;
}

/** Whether a group of this name is there. */
export async function hasPropertyGroup(
  exchange: Exchange,
  objectType: HubSpotObjectType,
  name: string,
): Promise<boolean> {
  const path = `${pathOf(objectType, 'groups')}/${encodeURIComponent(name)}`;
  const response = await exchange({ method: 'GET', path }, { accept: [404] });
  return response.status !== 404;
}

/** @returns whether it was created now. */
export async function createPropertyGroup(
  exchange: Exchange,
  objectType: HubSpotObjectType,
  group: PropertyGroupSpec,
): Promise<boolean> {
  // -1: behind the groups that the portal has already ordered.
  const body = { ...group, displayOrder: -1 };
  const request = { method: 'POST', path: pathOf(objectType, 'groups'), body } as const;
  const response = await exchange(request, { accept: [409] });
  return response.status !== 409;
}

export type CreationOutcome =
  | { readonly kind: 'created' | 'exists' }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * One at a time rather than in a batch: a set-up has some ten properties, and then each has a status of its own
 * (201 also for an archived one, which comes back as it was; 409; 400), where a batch answers 207 for them all.
 */
export async function createProperty(
  exchange: Exchange,
  objectType: HubSpotObjectType,
  creation: { readonly groupName: string; readonly spec: PropertySpec },
): Promise<CreationOutcome> {
  const { spec, groupName } = creation;
  const { name, label, type, fieldType, description } = spec;
  const options = toOptionInputs(optionsOf(spec));
  const body = { groupName, name, label, type, fieldType, description, options };
  const request = { method: 'POST', path: pathOf(objectType), body } as const;
  const response = await exchange(request, { accept: [400, 409] });
  if (response.status === 409) return { kind: 'exists' };
  if (response.status !== 400) return { kind: 'created' };
  const error = errorIn(response);
  return { kind: 'refused', reason: toBatchError(error, requestIdOf(response, error)).reason };
}

/** Replaces the whole list, as HubSpot does: pass every option that is to stay. */
export async function replaceOptions(
  exchange: Exchange,
  objectType: HubSpotObjectType,
  change: { readonly name: string; readonly options: readonly PropertyOption[] },
): Promise<void> {
  const body = { options: toOptionInputs(change.options) };
  await exchange({ method: 'PATCH', path: pathOf(objectType, change.name), body }, { once: true });
}

/** HubSpot wants two options for a boolean as well. */
export function optionsOf(spec: PropertySpec): readonly PropertyOption[] {
  if (spec.options !== undefined) return spec.options;
  if (spec.type !== 'bool') return [];
  return [
    { label: 'Yes', value: 'true' },
    { label: 'No', value: 'false' },
  ];
}

function toOptionInputs(options: readonly PropertyOption[]) {
  return options.map((option, index) => ({
    ...option,
    displayOrder: option.displayOrder ?? index,
    hidden: option.hidden ?? false,
  }));
}
