import {
  ApiError,
  asObject,
  badRequest,
  type Call,
  conflict,
  type JsonObject,
  listIn,
  notFound,
  optionalText,
  param,
  type Reply,
  type Route,
  requiredText,
  typeParam,
} from './http.ts';
import { rulesOf } from './input.ts';
import type { PropertyDefinition, PropertyOption } from './properties.ts';
import { iso, liveProperty, propertyOf } from './records.ts';
import type { ValueRule } from './settings.ts';
import type { ObjectTypeId, Portal } from './state.ts';

const PROPERTIES = '/crm/properties/{version}/{objectType}';
const UNIQUE_MOST = 10;

/** Routes of property definitions. */
export const PROPERTY_ROUTES: readonly Route[] = [
  { method: 'GET', path: PROPERTIES, needs: 'read', run: listAll },
  { method: 'POST', path: PROPERTIES, needs: 'schema', run: createOne },
  { method: 'GET', path: `${PROPERTIES}/{name}`, needs: 'read', run: readOne },
  { method: 'PATCH', path: `${PROPERTIES}/{name}`, needs: 'schema', run: updateOne },
  { method: 'DELETE', path: `${PROPERTIES}/{name}`, needs: 'schema', run: archiveOne },
];

function listAll(call: Call): Reply {
  const archived = call.query.get('archived') === 'true';
  const names = Object.keys(call.portal.state.properties[typeParam(call)]);
  const all = names.flatMap((name) => propertyNamed(call, name) ?? []);
  return { status: 200, body: { results: all.filter((one) => one.archived === archived) } };
}

function readOne(call: Call): Reply {
  const archived = call.query.get('archived') === 'true';
  const found = propertyNamed(call, param(call, 'name'));
  if (!found || found.archived !== archived) throw new ApiError(noSuchProperty(param(call, 'name')));
  return { status: 200, body: found };
}

function createOne(call: Call): Reply {
  return { status: 201, body: createProperty(call, asObject(call.body)) };
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
  const { portal } = call;
  const body = asObject(call.body);
  const found = liveProperty(portal, { typeId: typeParam(call), name: param(call, 'name') });
  if (!found) throw new ApiError(noSuchProperty(param(call, 'name')));
  const merged = { ...found, ...pickTexts(body) };
  TYPES_AND_FIELDS.check(merged);
  refuseUnknownGroup(portal, { typeId: typeParam(call), name: merged.groupName });
  Object.assign(found, merged, {
    ...(typeof body['hidden'] === 'boolean' && { hidden: body['hidden'] }),
    ...(typeof body['displayOrder'] === 'number' && { displayOrder: body['displayOrder'] }),
    ...(body['options'] !== undefined && { options: parseOptions(body) }),
    updatedAt: iso(portal.clock.now()),
  });
  return { status: 200, body: found };
}

function pickTexts(body: JsonObject): Partial<PropertyDefinition> {
  const names = ['label', 'type', 'fieldType', 'description', 'groupName'];
  return Object.fromEntries(
    names.flatMap((name) => (typeof body[name] === 'string' ? [[name, body[name]]] : [])),
  );
}

/** Creates a property. If an archived property has the same name, this one is restored unchanged instead. */
function createProperty(call: Call, body: JsonObject): PropertyDefinition {
  const { portal } = call;
  const typeId = typeParam(call);
  const wanted = parseNewProperty(body, iso(portal.clock.now()));
  refuseUnknownGroup(portal, { typeId, name: wanted.groupName });
  const old = propertyNamed(call, wanted.name);
  if (old && !old.archived) {
    const category = {
      category: 'OBJECT_ALREADY_EXISTS',
      subCategory: 'Properties.PROPERTY_WITH_NAME_EXISTS',
    };
    throw new ApiError(conflict(`A property named '${wanted.name}' already exists.`, category));
  }
  if (wanted.hasUniqueValue) refuseTooManyUnique(portal, typeId);
  const created = old ?? wanted;
  created.archived = false;
  delete created.archivedAt;
  portal.state.properties[typeId][created.name] = created;
  return created;
}

function propertyNamed(call: Call, name: string): PropertyDefinition | undefined {
  return propertyOf(call.portal, { typeId: typeParam(call), name });
}

function noSuchProperty(name: string) {
  return notFound(`No property named '${name}' exists.`, { context: { name: [name] } });
}

function refuseUnknownGroup(portal: Portal, { typeId, name }: { typeId: ObjectTypeId; name: string }): void {
  const groups = portal.state.groups[typeId];
  if (Object.hasOwn(groups, name)) return;
  throw new ApiError(
    badRequest(`There is no property group named '${name}'.`, { context: { groupName: [name] } }),
  );
}

function refuseTooManyUnique(portal: Portal, typeId: ObjectTypeId): void {
  const unique = Object.values(portal.state.properties[typeId]).filter(
    (one) => one.hasUniqueValue && !one.hubspotDefined && !one.archived,
  );
  if (unique.length < UNIQUE_MOST) return;
  throw new ApiError(badRequest(`An object type has at most ${UNIQUE_MOST} properties with unique values.`));
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

/** The form fields that each type allows. */
const TYPES_AND_FIELDS = {
  /** @throws ApiError 400 if the type does not allow the field. */
  check({ type, fieldType }: { type: string; fieldType: string }): void {
    const fields = Object.hasOwn(FIELDS_OF_TYPE, type) ? FIELDS_OF_TYPE[type] : undefined;
    if (!fields) throw new ApiError(badRequest(`${type} is not a type of property.`));
    if (fields.includes(fieldType)) return;
    throw new ApiError(badRequest(`The fieldType ${fieldType} is not allowed for the type ${type}.`));
  },
};

/** Reads a definition from the body of a create call. @throws ApiError 400 */
function parseNewProperty(body: JsonObject, now: string): PropertyDefinition {
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
function parseOptions(body: JsonObject): PropertyOption[] {
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

const GROUPS = '/crm/properties/{version}/{objectType}/groups';

/**
 * Routes of property groups. They come before the routes of properties, because a property may not be named `groups`.
 */
export const GROUP_ROUTES: readonly Route[] = [
  { method: 'POST', path: GROUPS, needs: 'schema', run: createGroup },
  { method: 'GET', path: `${GROUPS}/{name}`, needs: 'read', run: readGroup },
];

function createGroup(call: Call): Reply {
  const body = asObject(call.body);
  const name = requiredText(body, 'name');
  const groups = call.portal.state.groups[typeParam(call)];
  if (Object.hasOwn(groups, name)) {
    const category = { category: 'OBJECT_ALREADY_EXISTS', subCategory: 'Properties.GROUP_WITH_NAME_EXISTS' };
    throw new ApiError(conflict(`A property group named '${name}' already exists.`, category));
  }
  const displayOrder = typeof body['displayOrder'] === 'number' ? body['displayOrder'] : -1;
  const group = { name, label: requiredText(body, 'label'), displayOrder, archived: false };
  groups[name] = group;
  return { status: 201, body: group };
}

function readGroup(call: Call): Reply {
  const groups = call.portal.state.groups[typeParam(call)];
  const name = param(call, 'name');
  const group = Object.hasOwn(groups, name) ? groups[name] : undefined;
  if (group) return { status: 200, body: group };
  throw new ApiError(notFound(`No property group named '${name}' exists.`));
}

const RULES = '/crm/property-validations/{version}/{objectType}';

/** Routes that return the admin's validation rules. */
export const VALIDATION_ROUTES: readonly Route[] = [
  { method: 'GET', path: RULES, needs: 'read', run: listRules },
];

function listRules(call: Call): Reply {
  const byName = Map.groupBy(rulesIn(call), ({ propertyName }) => propertyName);
  const results = [...byName].map(([propertyName, rules]) => ({
    propertyName,
    propertyValidationRules: rules.map(ruleView),
  }));
  return { status: 200, body: { results } };
}

function rulesIn(call: Call): readonly ValueRule[] {
  return rulesOf(call.portal.state.settings.valueRules, typeParam(call));
}

function ruleView({ ruleType, ruleArguments }: ValueRule): object {
  return { ruleType, ruleArguments };
}
