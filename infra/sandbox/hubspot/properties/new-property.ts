import { ApiError, badRequest } from '../door/api-error.ts';
import { asObject, type JsonObject, listIn, optionalText, requiredText } from '../door/json.ts';
import type { PropertyDefinition, PropertyOption } from './property-definition.ts';

const FIELDS_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  bool: ['booleancheckbox', 'calculation_equation'],
  date: ['date'],
  datetime: ['date'],
  enumeration: ['booleancheckbox', 'checkbox', 'radio', 'select', 'calculation_equation'],
  number: ['number', 'calculation_equation'],
  phone_number: ['phonenumber'],
  string: ['file', 'html', 'phonenumber', 'text', 'textarea', 'calculation_equation'],
};

/** The form fields that each type allows. */
export const TYPES_AND_FIELDS = {
  /** @throws ApiError 400 if the type does not allow the field. */
  check({ type, fieldType }: { type: string; fieldType: string }): void {
    const fields = Object.hasOwn(FIELDS_OF_TYPE, type) ? FIELDS_OF_TYPE[type] : undefined;
    if (!fields) throw new ApiError(badRequest(`${type} is not a type of property.`));
    if (fields.includes(fieldType)) return;
    throw new ApiError(badRequest(`The fieldType ${fieldType} is not allowed for the type ${type}.`));
  },
};

/** Reads a definition from the body of a create call. @throws ApiError 400 */
export function parseNewProperty(body: JsonObject, now: string): PropertyDefinition {
  const missing = ['groupName', 'name', 'label', 'type', 'fieldType'].filter(
    (key) => !optionalText(body, key),
  );
  if (missing.length > 0) {
    throw new ApiError(badRequest(`Some required fields were not set: [${missing.join(', ')}]`));
  }
  const definition = {
    ...texts(body),
    ...flags(body),
    options: parseOptions(body),
    createdAt: now,
    updatedAt: now,
  };
  if (!/^[a-z][a-z0-9_]{0,99}$/.test(definition.name)) {
    throw new ApiError(badRequest(`${definition.name} is not a name for a property.`));
  }
  TYPES_AND_FIELDS.check(definition);
  if (definition.type === 'bool' && definition.options.length !== 2) {
    throw new ApiError(badRequest('A bool property needs the two options true and false.'));
  }
  return definition;
}

function texts(body: JsonObject) {
  return {
    name: requiredText(body, 'name'),
    label: requiredText(body, 'label'),
    type: requiredText(body, 'type'),
    fieldType: requiredText(body, 'fieldType'),
    groupName: requiredText(body, 'groupName'),
    description: optionalText(body, 'description') ?? '',
  };
}

function flags(body: JsonObject) {
  return {
    displayOrder: typeof body['displayOrder'] === 'number' ? body['displayOrder'] : -1,
    hidden: body['hidden'] === true,
    formField: body['formField'] === true,
    hasUniqueValue: body['hasUniqueValue'] === true,
    calculated: body['fieldType'] === 'calculation_equation',
    externalOptions: body['externalOptions'] === true,
    hubspotDefined: false,
    dataSensitivity: 'non_sensitive' as const,
    modificationMetadata: { archivable: true, readOnlyDefinition: false, readOnlyValue: false },
    archived: false,
  };
}

/** Reads options. All four fields are required, and values must be unique. @throws ApiError 400 */
export function parseOptions(body: JsonObject): PropertyOption[] {
  const options = listIn(body, 'options').map((given) => {
    const option = asObject(given, 'an option');
    const { displayOrder, hidden } = option;
    if (typeof displayOrder !== 'number' || typeof hidden !== 'boolean') {
      throw new ApiError(badRequest('Some required fields were not set: [displayOrder, hidden]'));
    }
    const description = optionalText(option, 'description');
    const said = { label: requiredText(option, 'label'), value: requiredText(option, 'value') };
    return { ...said, displayOrder, hidden, ...(description !== undefined && { description }) };
  });
  const values = new Set(options.map(({ value }) => value));
  if (values.size < options.length) throw new ApiError(badRequest('Two options have the same value.'));
  return options;
}
