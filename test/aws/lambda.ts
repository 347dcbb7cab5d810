import { holds } from './checklist.ts';

/** Lambda's own HTTP API, as far as it is needed here. */
const FUNCTIONS = '/2015-03-31/functions';

/** Calls a function and waits for what it returns. @throws Error with what it threw */
export async function invoke(name: string, event: unknown): Promise<unknown> {
  const response = await lambda(`${FUNCTIONS}/${name}/invocations`, JSON.stringify(event));
  const text = await response.text();
  const failure = response.headers.get('x-amz-function-error');
  holds(failure === null, `${name} failed: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** The environment that a function has now. */
export async function environmentOf(name: string): Promise<Readonly<Record<string, string>>> {
  const response = await lambda(`${FUNCTIONS}/${name}/configuration`);
  const { Environment }: { Environment?: { Variables?: Record<string, string> } } = JSON.parse(
    await response.text(),
  );
  return Environment?.Variables ?? {};
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
