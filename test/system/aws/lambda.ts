import { LIVE_ALIAS } from '../../../infra/aws/names.ts';
import { holds } from './checklist.ts';

/** The part of Lambda's HTTP API that the tests need. */
const FUNCTIONS = '/2015-03-31/functions';

/** Calls a function and waits for its result. @throws Error with the function's error */
export async function invoke(name: string, event: unknown): Promise<unknown> {
  const response = await lambda(`${FUNCTIONS}/${name}/invocations`, JSON.stringify(event));
  const text = await response.text();
  const failure = response.headers.get('x-amz-function-error');
  holds(failure === null, `${name} failed: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** The fields of a function's configuration that the tests use. */
export interface FunctionConfiguration {
  readonly Role: string;
  readonly TracingConfig?: { readonly Mode: string };
  readonly Environment?: { readonly Variables?: Readonly<Record<string, string>> };
}

export async function configurationOf(name: string): Promise<FunctionConfiguration> {
  const response = await lambda(`${FUNCTIONS}/${name}/configuration`);
  return JSON.parse(await response.text());
}

/** The version to which the function's alias points. */
export async function liveVersion(name: string): Promise<string> {
  const response = await lambda(`${FUNCTIONS}/${name}/aliases/${LIVE_ALIAS}`);
  return JSON.parse(await response.text()).FunctionVersion;
}

async function lambda(path: string, body?: string): Promise<Response> {
  const init = body === undefined ? {} : { method: 'POST', body };
  const response = await fetch(`${process.env['AWS_ENDPOINT_URL']}${path}`, init);
  holds(
    response.ok,
    `Lambda answered ${response.status} to ${path}: ${response.ok ? '' : await response.text()}`,
  );
  return response;
}
