import { DataServiceError } from '../../shared/data-service/errors.ts';
import type { Workspace } from '../../shared/data-service/types.ts';
import { systemIds as newId } from '../../shared/kernel/ids.system.ts';
import { createKeyCheck } from '../../shared/questions/paid-calls.data-service.ts';
import type { Connection } from './connection.ts';
import { CliError, EXIT } from './exit.ts';

/** Asks the data service whose key this is. Free, but it takes a share of the rate like any other request. */
export async function checkKey(
  { parts }: Connection,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal | undefined },
) {
  const { clock, policy, governor } = parts.questions;
  const { requestTimeoutMs } = policy;
  const id = `key-check:${newId()}`;
  const notAfterMs = clock.now() + waitMs;
  const slot = await governor.take({ id, lane: 'live', requestTimeoutMs, notAfterMs, signal });
  if (slot.kind === 'later') {
    throw new CliError('The data service takes no more requests this minute.', {
      exit: EXIT.refused,
      code: 'rate-limit',
      untilMs: slot.atMs,
    });
  }
  return askOnce(parts, { id, requestTimeoutMs });
}

/** The gateway's own key check tells the governor what the rate headers said; what it leaves out is kept here. */
async function askOnce(
  { dataService, questions: { clock, governor } }: Connection['parts'],
  { id, requestTimeoutMs }: { id: string; requestTimeoutMs: number },
) {
  const asked = Promise.withResolvers<Workspace>();
  asked.promise.catch(() => undefined);
  const checkKey: typeof dataService.checkKey = async (options) => {
    const answering = dataService.checkKey(options);
    asked.resolve(answering.then(({ data }) => data));
    return answering;
  };
  const keyCheck = createKeyCheck({ client: { ...dataService, checkKey }, clock });
  const { report } = await keyCheck.check({ timeoutMs: requestTimeoutMs });
  await governor.answered({ id, report, limited: false });
  return asked.promise.catch((error) => {
    throw failureOf(error);
  });
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof DataServiceError) || error.code !== 'DATA_SERVICE_UNAUTHORIZED') return error;
  const message = 'The data service does not accept the key; set DATA_SERVICE_API_KEY to an active one.';
  return new CliError(message, { exit: EXIT.usage, code: 'key-refused' });
}
