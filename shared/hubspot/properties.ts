import { CoreApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/properties/apis/CoreApi.js';
import { GroupsApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/properties/apis/GroupsApi.js';
import type { Configuration } from '@hubspot/api-client/lib/codegen/crm/properties/configuration.js';
import {
  PropertyCreateFieldTypeEnum,
  PropertyCreateTypeEnum,
} from '@hubspot/api-client/lib/codegen/crm/properties/models/PropertyCreate.js';
import { errorIn, readAnswer, requestIdOf, toBatchError } from './failures.ts';
import { PropertyListSchema } from './schemas.ts';
import { type Exchange, enumMember } from './transport.ts';
import type {
  HubSpotObjectType,
  HubSpotProperty,
  PropertyGroupSpec,
  PropertyOption,
  PropertySpec,
} from './types.ts';

export interface PropertyEditor {
  readonly exchange: Exchange;
  readonly configuration: Configuration;
}

export async function listProperties(
  editor: PropertyEditor,
  objectType: HubSpotObjectType,
  { archived = false }: { readonly archived?: boolean } = {},
): Promise<readonly HubSpotProperty[]> {
  const generated = await new CoreApiRequestFactory(editor.configuration).getAll(objectType, archived);
  return readAnswer(await editor.exchange(generated), PropertyListSchema).results;
}

/** Whether a group of this name exists. */
export async function hasPropertyGroup(
  editor: PropertyEditor,
  objectType: HubSpotObjectType,
  name: string,
): Promise<boolean> {
  const generated = await new GroupsApiRequestFactory(editor.configuration).getByName(objectType, name);
  const response = await editor.exchange(generated, { accept: [404] });
  return response.status !== 404;
}

/** @returns true if this call created the group; false if the group existed. */
export async function createPropertyGroup(
  editor: PropertyEditor,
  objectType: HubSpotObjectType,
  group: PropertyGroupSpec,
): Promise<boolean> {
  const factory = new GroupsApiRequestFactory(editor.configuration);
  // -1 places the group after the groups that the portal has ordered.
  const generated = await factory.create(objectType, { ...group, displayOrder: -1 });
  const response = await editor.exchange(generated, { accept: [409] });
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
  editor: PropertyEditor,
  objectType: HubSpotObjectType,
  creation: { readonly groupName: string; readonly spec: PropertySpec },
): Promise<CreationOutcome> {
  const { spec, groupName } = creation;
  const generated = await new CoreApiRequestFactory(editor.configuration).create(objectType, {
    groupName,
    name: spec.name,
    label: spec.label,
    type: enumMember(PropertyCreateTypeEnum, spec.type),
    fieldType: enumMember(PropertyCreateFieldTypeEnum, spec.fieldType),
    ...(spec.description === undefined ? {} : { description: spec.description }),
    options: toOptionInputs(optionsOf(spec)),
  });
  const response = await editor.exchange(generated, { accept: [400, 409] });
  if (response.status === 409) return { kind: 'exists' };
  if (response.status !== 400) return { kind: 'created' };
  const error = errorIn(response);
  return { kind: 'refused', reason: toBatchError(error, requestIdOf(response, error)).reason };
}

/** Replaces all options, as HubSpot does. Pass every option that should stay. */
export async function replaceOptions(
  editor: PropertyEditor,
  objectType: HubSpotObjectType,
  change: { readonly name: string; readonly options: readonly PropertyOption[] },
): Promise<void> {
  const factory = new CoreApiRequestFactory(editor.configuration);
  const options = toOptionInputs(change.options);
  await editor.exchange(await factory.update(objectType, change.name, { options }), { once: true });
}

/** Replaces the description of a property. */
export async function describeProperty(
  editor: PropertyEditor,
  objectType: HubSpotObjectType,
  { name, description }: { readonly name: string; readonly description: string },
): Promise<void> {
  const factory = new CoreApiRequestFactory(editor.configuration);
  await editor.exchange(await factory.update(objectType, name, { description }));
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
    ...(description === undefined ? {} : { description }),
  }));
}
