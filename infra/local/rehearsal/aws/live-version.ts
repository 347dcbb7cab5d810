import { type Clock, parseJson, SECOND_MS } from '#shared/kernel';
import { signedCall } from '../../../aws/deploy/signed-call.ts';
import { LIVE_ALIAS } from '../../../aws/names.ts';
import { partOf } from '../json-parts.ts';

const FUNCTIONS = '/2015-03-31/functions';
const PUBLISH_LOOK_MS = SECOND_MS;

async function lambda(method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<unknown> {
  const sent = body && { body: JSON.stringify(body) };
  return parseJson(await signedCall({ service: 'lambda', method, path: `${FUNCTIONS}/${path}`, ...sent }));
}

/**
 * Has a function run for a few seconds only while `work` goes on: Lambda then kills each call in the middle of its work.
 * Afterwards the alias and the timeout are as before.
 */
export async function withKilledCalls<T>(
  name: string,
  { seconds, clock }: { readonly seconds: number; readonly clock: Clock },
  work: () => Promise<T>,
): Promise<T> {
  const before = partOf(await lambda('GET', `${name}/aliases/${LIVE_ALIAS}`), 'FunctionVersion');
  const timeout = partOf(await lambda('GET', `${name}/configuration`), 'Timeout');
  const configure = async (Timeout: unknown) => {
    await lambda('PUT', `${name}/configuration`, { Timeout });
    for (;;) {
      const { LastUpdateStatus } = (await lambda('GET', `${name}/configuration`)) as Record<string, unknown>;
      if (LastUpdateStatus !== 'InProgress') return;
      await clock.sleep(PUBLISH_LOOK_MS);
    }
  };
  const point = (FunctionVersion: unknown) =>
    lambda('PUT', `${name}/aliases/${LIVE_ALIAS}`, { FunctionVersion });
  try {
    await configure(seconds);
    // Without the name of a release, so that `npm run back` does not count it.
    const published = await lambda('POST', `${name}/versions`, { Description: 'killed by the rehearsal' });
    await point(partOf(published, 'Version'));
    return await work();
  } finally {
    await point(before);
    await configure(timeout);
  }
}

/** Retries of an asynchronous call of the alias; nothing where AWS names none. */
export async function aliasRetries(name: string): Promise<number | undefined> {
  const path = `/2019-09-25/functions/${name}/event-invoke-config`;
  const query = { Qualifier: LIVE_ALIAS };
  const found = parseJson(await signedCall({ service: 'lambda', method: 'GET', path, query }));
  const retries = partOf(found, 'MaximumRetryAttempts');
  return typeof retries === 'number' ? retries : undefined;
}
