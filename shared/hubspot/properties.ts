import { API_VERSION } from './api-version.ts';
import { toBatchError } from './batch-errors.ts';
import { errorIn, readAnswer, requestIdOf } from './failures.ts';
import type { HubSpotProperty, PropertyGroupSpec, PropertyOption, PropertySpec } from './property-types.ts';
import { PropertyListSchema } from './schemas.ts';
import type { Exchange, HubSpotRequest } from './transport.ts';
import type { HubSpotObjectType } from './types.ts';

const pathOf = (objectType: HubSpotObjectType) => `/crm/properties/${API_VERSION}/${objectType}`;

export async function listProperties(
  exchange: Exchange,
  objectType: HubSpotObjectType,
  { archived = false }: { readonly archived?: boolean } = {},
): Promise<readonly HubSpotProperty[]> {
  const path = `${pathOf(objectType)}?archived=${archived}`;
  return readAnswer(await exchange({ method: 'GET', path }), PropertyListSchema).results;
}

/** Whether a group of this name exists. */
export async function hasPropertyGroup(
  exchange: Exchange,
  objectType: HubSpotObjectType,
  name: string,
): Promise<boolean> {
  const path = `${pathOf(objectType)}/groups/${encodeURIComponent(name)}`;
  const response = await exchange({ method: 'GET', path }, { accept: [404] });
  return response.status !== 404;
}

/** @returns true if this call created the group; false if the group existed. */
export async function createPropertyGroup(
  exchange: Exchange,
  objectType: HubSpotObjectType,
  group: PropertyGroupSpec,
): Promise<boolean> {
  const path = `${pathOf(objectType)}/groups`;
  // -1 places the group after the groups that the portal has ordered.
  const body = { name: group.name, label: group.label, displayOrder: -1 };
  const response = await exchange({ method: 'POST', path, body }, { accept: [409] });
  return response.status !== 409;
}

export type CreationOutcome =
  | { readonly kind: 'created' | 'exists' }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Creates a single property. A set-up needs only about ten, and each gets its own status: 201 (also for an archived
 * property, which is restored unchanged), 409 or 400. A batch would answer 207 for all.
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

/** Replaces all options, as HubSpot does. Pass every option that should stay. */
export async function replaceOptions(
  exchange: Exchange,
  objectType: HubSpotObjectType,
  change: { readonly name: string; readonly options: readonly PropertyOption[] },
): Promise<void> {
  const options = toOptionInputs(change.options);
  await exchange(propertyUpdate(objectType, change.name, { options }), { once: true });
}

/** Replaces the description of a property. */
export async function describeProperty(
  exchange: Exchange,
  objectType: HubSpotObjectType,
  { name, description }: { readonly name: string; readonly description: string },
): Promise<void> {
  await exchange(propertyUpdate(objectType, name, { description }));
}

function propertyUpdate(objectType: HubSpotObjectType, name: string, body: object): HubSpotRequest {
  return { method: 'PATCH', path: `${pathOf(objectType)}/${encodeURIComponent(name)}`, body };
}

/** Returns the options of a property. HubSpot requires two options for a boolean. */
export function optionsOf(spec: PropertySpec): readonly PropertyOption[] {
  if (spec.options !== undefined) return spec.options;
  if (spec.type !== 'bool') return [];
  return [
    { label: 'Yes', value: 'true' },
    { label: 'No', value: 'false' },
  ];
}

function toOptionInputs(options: readonly PropertyOption[]) {
  return options.map(({ label, value, description, displayOrder, hidden }, index) => ({
    label,
    value,
    displayOrder: displayOrder ?? index,
    hidden: hidden ?? false,
    description,
  }));
}
