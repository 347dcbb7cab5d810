import * as z from 'zod';
import {
  ApiError,
  badRequest,
  type Call,
  conflict,
  filledText,
  inForm,
  listOf,
  notFound,
  param,
  type Reply,
  type Route,
  text,
  typeParam,
} from './http.ts';
import { rulesOf } from './input.ts';
import type { PropertyDefinition } from './properties.ts';
import { iso, liveProperty, propertyOf } from './records.ts';

const PROPERTIES = '/crm/properties/2026-09/{objectType}';

/** Routes of property definitions and their groups. A property may not be named `groups`. */
export const PROPERTY_ROUTES: readonly Route[] = [
  { method: 'POST', path: `${PROPERTIES}/groups`, needs: 'schema', run: createGroup },
  { method: 'GET', path: `${PROPERTIES}/groups/{name}`, needs: 'read', run: readGroup },
  { method: 'GET', path: PROPERTIES, needs: 'read', run: listAll },
  { method: 'POST', path: PROPERTIES, needs: 'schema', run: createOne },
  { method: 'GET', path: `${PROPERTIES}/{name}`, needs: 'read', run: readOne },
  { method: 'PATCH', path: `${PROPERTIES}/{name}`, needs: 'schema', run: updateOne },
  { method: 'DELETE', path: `${PROPERTIES}/{name}`, needs: 'schema', run: archiveOne },
  /** The admin's validation rules. */
  {
    method: 'GET',
    path: '/crm/property-validations/2026-09/{objectType}',
    needs: 'read',
    run: (call) => {
      const rules = rulesOf(call.portal.state.settings.valueRules, typeParam(call));
      const results = [...Map.groupBy(rules, ({ propertyName }) => propertyName)].map(
        ([propertyName, ofProperty]) => ({
          propertyName,
          propertyValidationRules: ofProperty.map(({ ruleType, ruleArguments }) => ({
            ruleType,
            ruleArguments,
          })),
        }),
      );
      return { status: 200, body: { results } };
    },
  },
];

const OPTION = z.object({
  label: filledText,
  value: filledText,
  displayOrder: z.number(),
  hidden: z.boolean(),
  description: z.string().exactOptional(),
});
const OPTIONS = listOf(OPTION).refine(
  (options) => new Set(options.map(({ value }) => value)).size === options.length,
  'has two options with the same value',
);
const ORDER = z.number().catch(-1);
const FLAG = z.boolean().catch(false);

const NEW_PROPERTY = z
  .object({
    name: filledText.pipe(z.string().regex(/^[a-z][a-z0-9_]{0,99}$/, 'is not a name for a property')),
    label: filledText,
    type: filledText,
    fieldType: filledText,
    groupName: filledText,
    description: text.default(''),
    displayOrder: ORDER,
    hidden: FLAG,
    formField: FLAG,
    hasUniqueValue: FLAG,
    externalOptions: FLAG,
    options: OPTIONS,
  })
  .refine(
    ({ type, options }) => type !== 'bool' || options.length === 2,
    'needs the two options true and false',
  );

const CHANGE = z.object({
  label: text.exactOptional(),
  type: text.exactOptional(),
  fieldType: text.exactOptional(),
  description: text.exactOptional(),
  groupName: text.exactOptional(),
  hidden: z.boolean().exactOptional(),
  displayOrder: z.number().exactOptional(),
  options: z.array(OPTION).exactOptional(),
});

function listAll(call: Call): Reply {
  const archived = call.query.get('archived') === 'true';
  const names = Object.keys(call.portal.state.properties[typeParam(call)]);
  const all = names.flatMap((name) => propertyNamed(call, name) ?? []);
  return { status: 200, body: { results: all.filter((one) => one.archived === archived) } };
}

function readOne(call: Call): Reply {
  const archived = call.query.get('archived') === 'true';
  const found = propertyNamed(call, param(call, 'name'));
  if (found?.archived !== archived) throw noSuchProperty(call);
  return { status: 200, body: found };
}

function archiveOne(call: Call): Reply {
  const name = param(call, 'name');
  const found = liveProperty(call.portal, { typeId: typeParam(call), name });
  if (found && !found.modificationMetadata.archivable) {
    throw new ApiError(badRequest(`The property ${name} is defined by HubSpot and cannot be archived.`));
  }
  if (found) Object.assign(found, { archived: true, archivedAt: iso(call.portal.clock.now()) });
  return { status: 204 };
}

/** Updates the given fields. Given options replace the whole list. Name, uniqueness and sensitivity cannot change. */
function updateOne(call: Call): Reply {
  const found = liveProperty(call.portal, { typeId: typeParam(call), name: param(call, 'name') });
  if (!found) throw noSuchProperty(call);
  const merged = { ...found, ...inForm(CHANGE, call.body) };
  checkDefinition(call, merged);
  Object.assign(found, merged, { updatedAt: iso(call.portal.clock.now()) });
  return { status: 200, body: found };
}

/** Creates a property. If an archived property has the same name, this one is restored unchanged instead. */
function createOne(call: Call): Reply {
  const properties = call.portal.state.properties[typeParam(call)];
  const now = iso(call.portal.clock.now());
  const given = inForm(NEW_PROPERTY, call.body);
  checkDefinition(call, given);
  const old = propertyNamed(call, given.name);
  if (old && !old.archived) {
    const category = {
      category: 'OBJECT_ALREADY_EXISTS',
      subCategory: 'Properties.PROPERTY_WITH_NAME_EXISTS',
    };
    throw new ApiError(conflict(`A property named '${given.name}' already exists.`, category));
  }
  const created: PropertyDefinition = old ?? {
    ...given,
    calculated: given.fieldType === 'calculation_equation',
    hubspotDefined: false,
    dataSensitivity: 'non_sensitive',
    modificationMetadata: { archivable: true, readOnlyDefinition: false, readOnlyValue: false },
    createdAt: now,
    updatedAt: now,
    archived: false,
  };
  created.archived = false;
  delete created.archivedAt;
  properties[created.name] = created;
  return { status: 201, body: created };
}

function propertyNamed(call: Call, name: string): PropertyDefinition | undefined {
  return propertyOf(call.portal, { typeId: typeParam(call), name });
}

function noSuchProperty(call: Call): ApiError {
  const name = param(call, 'name');
  return new ApiError(notFound(`No property named '${name}' exists.`, { context: { name: [name] } }));
}

const FIELDS_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  bool: ['booleancheckbox', 'calculation_equation'],
  date: ['date'],
  datetime: ['date'],
  enumeration: ['booleancheckbox', 'checkbox', 'radio', 'select', 'calculation_equation'],
  number: ['number', 'calculation_equation'],
  phone_number: ['phonenumber'],
  string: ['file', 'html', 'phonenumber', 'text', 'textarea', 'calculation_equation'],
};

/** @throws ApiError 400 if the type does not allow the field, or there is no such group. */
function checkDefinition(
  call: Call,
  { type, fieldType, groupName }: Pick<PropertyDefinition, 'type' | 'fieldType' | 'groupName'>,
): void {
  const fields = Object.hasOwn(FIELDS_OF_TYPE, type) ? FIELDS_OF_TYPE[type] : undefined;
  if (!fields) throw new ApiError(badRequest(`${type} is not a type of property.`));
  if (!fields.includes(fieldType))
    throw new ApiError(badRequest(`The fieldType ${fieldType} is not allowed for the type ${type}.`));
  if (!Object.hasOwn(call.portal.state.groups[typeParam(call)], groupName))
    throw new ApiError(
      badRequest(`There is no property group named '${groupName}'.`, { context: { groupName: [groupName] } }),
    );
}

function createGroup(call: Call): Reply {
  const given = inForm(z.object({ name: filledText, label: filledText, displayOrder: ORDER }), call.body);
  const groups = call.portal.state.groups[typeParam(call)];
  if (Object.hasOwn(groups, given.name)) {
    const category = { category: 'OBJECT_ALREADY_EXISTS', subCategory: 'Properties.GROUP_WITH_NAME_EXISTS' };
    throw new ApiError(conflict(`A property group named '${given.name}' already exists.`, category));
  }
  const group = { ...given, archived: false };
  groups[given.name] = group;
  return { status: 201, body: group };
}

function readGroup(call: Call): Reply {
  const groups = call.portal.state.groups[typeParam(call)];
  const name = param(call, 'name');
  if (Object.hasOwn(groups, name)) return { status: 200, body: groups[name] };
  throw new ApiError(notFound(`No property group named '${name}' exists.`));
}
