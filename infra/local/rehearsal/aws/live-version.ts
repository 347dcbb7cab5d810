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
 * Has each process of a function die a few seconds after its start while `work` continues, in the middle of what it does. A
 * short timeout would not do: a worker that has little time left begins nothing. Afterwards all is as before.
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
    // Without the name of a release, so that `npm run back` does not count it.
    const published = await lambda('POST', `${name}/versions`, { Description: 'killed by the rehearsal' });
    await point(partOf(published, 'Version'));
    return await work();
  } finally {
    await point(before);
    await configure(variables);
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
