import { type Clock, parseJson, SECOND_MS } from '#shared/kernel';
import { signedCall } from '../../../aws/deploy/signed-call.ts';
import { LIVE_ALIAS } from '../../../aws/names.ts';
import { isRecord, jsonText, partOf } from '../json-parts.ts';

const FUNCTIONS = '/2015-03-31/functions';
const PUBLISH_LOOK_MS = SECOND_MS;

async function lambda(method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<unknown> {
  const sent = body && { body: JSON.stringify(body) };
  return parseJson(await signedCall({ service: 'lambda', method, path: `${FUNCTIONS}/${path}`, ...sent }));
}

/**
 * Makes each process of a function die in the middle of its work, a few seconds after its start, while `work` runs. A
 * short timeout would not have this effect, because a worker with little time left begins no record. The function is
 * restored at the end.
 */
export async function withDyingProcesses<T>(
  name: string,
  { afterMs, clock }: { readonly afterMs: number; readonly clock: Clock },
  work: () => Promise<T>,
): Promise<T> {
  const before = partOf(await lambda('GET', `${name}/aliases/${LIVE_ALIAS}`), 'FunctionVersion');
  const variables = partOf(await lambda('GET', `${name}/configuration`), 'Environment', 'Variables');
  const configure = async (Variables: unknown) => {
    await lambda('PUT', `${name}/configuration`, { Environment: { Variables } });
    while (partOf(await lambda('GET', `${name}/configuration`), 'LastUpdateStatus') === 'InProgress')
      await clock.sleep(PUBLISH_LOOK_MS);
  };
  const point = (FunctionVersion: unknown) =>
    lambda('PUT', `${name}/aliases/${LIVE_ALIAS}`, { FunctionVersion });
  const death = `--import=data:text/javascript,setTimeout(()=>process.kill(process.pid,9),${afterMs})`;
  const options = [jsonText(variables, 'NODE_OPTIONS'), death].filter(Boolean).join(' ');
  try {
    await configure({ ...(isRecord(variables) && variables), NODE_OPTIONS: options });
    // The description is not the name of a release, so that `npm run back` ignores this version.
    const published = await lambda('POST', `${name}/versions`, { Description: 'killed by the rehearsal' });
    await point(partOf(published, 'Version'));
    return await work();
  } finally {
    await point(before);
    await configure(variables);
  }
}

/** Number of retries of an asynchronous call of the alias. `undefined` if AWS returns no number. */
export async function aliasRetries(name: string): Promise<number | undefined> {
  const path = `/2019-09-25/functions/${name}/event-invoke-config`;
  const query = { Qualifier: LIVE_ALIAS };
  const found = parseJson(await signedCall({ service: 'lambda', method: 'GET', path, query }));
  const retries = partOf(found, 'MaximumRetryAttempts');
  return typeof retries === 'number' ? retries : undefined;
}
