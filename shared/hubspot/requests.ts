import { BatchApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/objects/apis/BatchApi.js';
import { SearchApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/objects/apis/SearchApi.js';
import { createConfiguration as objectsConfiguration } from '@hubspot/api-client/lib/codegen/crm/objects/configuration.js';
import { CoreApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/properties/apis/CoreApi.js';
import { GroupsApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/properties/apis/GroupsApi.js';
import { createConfiguration as propertiesConfiguration } from '@hubspot/api-client/lib/codegen/crm/properties/configuration.js';
import { assert } from '#shared/kernel';
import { API_VERSION } from './api-version.ts';

/**
 * The official client only builds the requests. Its own sending has no timeout, no dated path and no jitter. Its
 * deserialiser drops unknown fields and splits the texts of error contexts into letters. So `transport.ts` sends and
 * retries the requests, and `schemas.ts` parses the answers.
 */
export const batchRequests = new BatchApiRequestFactory(objectsConfiguration());
export const searchRequests = new SearchApiRequestFactory(objectsConfiguration());
export const propertyRequests = new CoreApiRequestFactory(propertiesConfiguration());
export const groupRequests = new GroupsApiRequestFactory(propertiesConfiguration());

/** The classes of generated requests differ by module. */
interface GeneratedRequest {
  getUrl(): string;
  getHttpMethod(): string;
  getBody(): unknown;
}

/**
 * Converts a generated request to one under the dated path: `/crm/v3/objects/...` to `/crm/objects/2026-09/...`.
 * Requests and answers have the same form under both paths.
 */
export async function dated(generated: Promise<GeneratedRequest>) {
  const request = await generated;
  const { pathname, search } = new URL(request.getUrl());
  const path = `${pathname.replace(/^\/crm\/v3\/(objects|properties)\//, `/crm/$1/${API_VERSION}/`)}${search}`;
  assert(path.includes(`/${API_VERSION}/`), 'every HubSpot path includes the version');
  const body = request.getBody();
  assert(body === undefined || typeof body === 'string', 'a HubSpot request has JSON text or no body');
  return { method: request.getHttpMethod(), path, body };
}
