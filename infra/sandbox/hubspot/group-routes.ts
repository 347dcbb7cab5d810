import { ApiError, badRequest, conflict, notFound } from './api-error.ts';
import { asObject, requiredText } from './json.ts';
import type { PropertyGroup } from './property-definition.ts';
import { type Call, param, type Reply, type Route, typeParam } from './route.ts';

const ALL = '/crm/properties/{version}/{objectType}/groups';

/** Groups of properties. They stand before the properties in the list of routes: a property may not be called `groups`. */
export const GROUP_ROUTES: readonly Route[] = [
  { method: 'GET', path: ALL, needs: 'read', run: listAll },
  { method: 'POST', path: ALL, needs: 'schema', run: createOne },
  { method: 'GET', path: `${ALL}/{name}`, needs: 'read', run: readOne },
  { method: 'PATCH', path: `${ALL}/{name}`, needs: 'schema', run: updateOne },
  { method: 'DELETE', path: `${ALL}/{name}`, needs: 'schema', run: archiveOne },
];

function listAll(call: Call): Reply {
  const groups = Object.values(call.portal.state.groups[typeParam(call)]);
  return { status: 200, body: { results: groups.filter((group) => !group.archived) } };
}

function createOne(call: Call): Reply {
  const body = asObject(call.body);
  const name = requiredText(body, 'name');
  const groups = call.portal.state.groups[typeParam(call)];
  if (groups[name] && !groups[name].archived) {
    const category = { category: 'OBJECT_ALREADY_EXISTS', subCategory: 'Properties.GROUP_WITH_NAME_EXISTS' };
    throw new ApiError(conflict(`A property group named '${name}' already exists.`, category));
  }
  const displayOrder = typeof body['displayOrder'] === 'number' ? body['displayOrder'] : -1;
  const group = { name, label: requiredText(body, 'label'), displayOrder, archived: false };
  groups[name] = group;
  return { status: 201, body: group };
}

function readOne(call: Call): Reply {
  return { status: 200, body: groupNamed(call) };
}

function updateOne(call: Call): Reply {
  const body = asObject(call.body);
  const group = groupNamed(call);
  if (typeof body['label'] === 'string') group.label = body['label'];
  if (typeof body['displayOrder'] === 'number') group.displayOrder = body['displayOrder'];
  return { status: 200, body: group };
}

function archiveOne(call: Call): Reply {
  const group = groupNamed(call);
  const properties = Object.values(call.portal.state.properties[typeParam(call)]);
  if (properties.some((one) => one.groupName === group.name && !one.archived)) {
    const subCategory = 'PropertyGroupError.GROUP_WITH_ACTIVE_PROPERTIES';
    const nested = JSON.stringify({ name: group.name, error: 'GROUP_WITH_ACTIVE_PROPERTIES' });
    throw new ApiError(badRequest(`The group cannot be archived: ${nested}`, { subCategory }));
  }
  group.archived = true;
  return { status: 204 };
}

function groupNamed(call: Call): PropertyGroup {
  const group = call.portal.state.groups[typeParam(call)][param(call, 'name')];
  if (group && !group.archived) return group;
  throw new ApiError(notFound(`No property group named '${param(call, 'name')}' exists.`));
}
