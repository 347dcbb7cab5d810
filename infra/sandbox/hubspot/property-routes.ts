import { ApiError, badRequest, conflict, notFound } from './api-error.ts';
import { batchInputs, batchReply, runBatch } from './batch.ts';
import { asObject, type JsonObject, requiredText } from './json.ts';
import { parseNewProperty, parseOptions, TYPES_AND_FIELDS } from './new-property.ts';
import type { ObjectTypeId } from './object-types.ts';
import type { Portal } from './portal.ts';
import type { PropertyDefinition } from './property-definition.ts';
import { iso, liveProperty } from './record-view.ts';
import { type Call, param, type Reply, type Route, typeParam } from './route.ts';

const ALL = '/crm/properties/{version}/{objectType}';
const UNIQUE_MOST = 10;

/** Definitions of properties. Batch routes come first, because a name could be `batch`. */
export const PROPERTY_ROUTES: readonly Route[] = [
  { method: 'POST', path: `${ALL}/batch/read`, needs: 'read', run: readMany },
  { method: 'POST', path: `${ALL}/batch/create`, needs: 'schema', run: createMany },
  { method: 'POST', path: `${ALL}/batch/archive`, needs: 'schema', run: archiveMany },
  { method: 'GET', path: ALL, needs: 'read', run: listAll },
  { method: 'POST', path: ALL, needs: 'schema', run: createOne },
  { method: 'GET', path: `${ALL}/{name}`, needs: 'read', run: readOne },
  { method: 'PATCH', path: `${ALL}/{name}`, needs: 'schema', run: updateOne },
  { method: 'DELETE', path: `${ALL}/{name}`, needs: 'schema', run: archiveOne },
];

function listAll(call: Call): Reply {
  const archived = call.query.get('archived') === 'true';
  const all = Object.values(call.portal.state.properties[typeParam(call)]);
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

/** Every property stands alone, with or without traces. */
function createMany(call: Call): Reply {
  const inputs = batchInputs(call);
  const results: PropertyDefinition[] = [];
  const errors: unknown[] = [];
  for (const input of inputs) {
    try {
      results.push(createProperty(call, input));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status: _status, ...said } = error.failure;
      errors.push({ status: 'error', ...said, context: { name: [String(input['name'])], ...said.context } });
    }
  }
  return batchReply(call, { status: 201, results, errors });
}

function readMany(call: Call): Reply {
  const body = asObject(call.body);
  requiredText(body, 'dataSensitivity');
  if (typeof body['archived'] !== 'boolean') {
    throw new ApiError(badRequest('Some required fields were not set: [archived]'));
  }
  return runBatch(call, {
    inputs: batchInputs(call),
    mayBePartial: true,
    status: 200,
    prepare: (input) => {
      const name = requiredText(input, 'name');
      const found = propertyNamed(call, name);
      if (found && found.archived === body['archived']) return { ok: true, apply: () => ({ ...found }) };
      return { ok: false, failure: noSuchProperty(name) };
    },
  });
}

function archiveMany(call: Call): Reply {
  for (const input of batchInputs(call)) archiveProperty(call, requiredText(input, 'name'));
  return { status: 204 };
}

function archiveOne(call: Call): Reply {
  archiveProperty(call, param(call, 'name'));
  return { status: 204 };
}

/** What is left out stays; a list of options replaces the whole list; name, uniqueness and sensitivity stay. */
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

/** A name that was archived brings the old property back, as it was. */
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

function archiveProperty(call: Call, name: string): void {
  const found = liveProperty(call.portal, { typeId: typeParam(call), name });
  if (!found) return;
  if (!found.modificationMetadata.archivable) {
    throw new ApiError(badRequest(`The property ${name} is defined by HubSpot and cannot be archived.`));
  }
  if (call.portal.state.settings.propertiesInUse.includes(name)) {
    const subCategory = 'PropertyValidationError.CANNOT_DELETE_PROPERTY_IN_USE';
    const nested = JSON.stringify({ name, error: 'CANNOT_DELETE_PROPERTY_IN_USE' });
    throw new ApiError(badRequest(`The property is in use: ${nested}`, { subCategory }));
  }
  found.archived = true;
  found.archivedAt = iso(call.portal.clock.now());
}

function propertyNamed(call: Call, name: string): PropertyDefinition | undefined {
  const properties = call.portal.state.properties[typeParam(call)];
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function noSuchProperty(name: string) {
  return notFound(`No property named '${name}' exists.`, { context: { name: [name] } });
}

function refuseUnknownGroup(portal: Portal, { typeId, name }: { typeId: ObjectTypeId; name: string }): void {
  const groups = portal.state.groups[typeId];
  const group = Object.hasOwn(groups, name) ? groups[name] : undefined;
  if (group && !group.archived) return;
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
