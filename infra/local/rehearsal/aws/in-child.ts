import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { ClientRequest } from 'node:http';
import { recordedCall, type SentRequest } from './aws-call-name.ts';

/**
 * Preloaded into the commands of a rehearsal on AWS. It ends a command when the rehearsal ends or is killed, because
 * otherwise a deployment could run during its removal. It also records the names of the command's AWS calls, without
 * arguments.
 */
const PARENT_LOOK_MS = 250;
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, PARENT_LOOK_MS).unref();

const { REHEARSAL_CALLS: file, AWS_ACCESS_KEY_ID: own } = process.env;

function record(request: SentRequest): void {
  const call = recordedCall(request);
  // Skips calls by the CDK's roles, which sign with other keys.
  if (file !== undefined && call?.accessKeyId === own) appendFileSync(file, `${call?.action}\n`);
}

const { end } = ClientRequest.prototype;
ClientRequest.prototype.end = function (this: ClientRequest, ...given: unknown[]) {
  const header = (name: string) => String(this.getHeader(name) ?? '');
  const [body] = given;
  record({
    method: this.method,
    path: this.path,
    authorization: header('authorization'),
    target: header('x-amz-target'),
    body: typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '',
  });
  return Reflect.apply(end, this, given);
};

/** `fetch` does not use the `http` client, so its requests are recorded here. */
subscribe('undici:request:create', (message) => {
  const { request } = message as { request: { method: string; path: string; headers: unknown } };
  const headers = Array.isArray(request.headers) ? request.headers.map(String) : [];
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  const authorization = at < 0 ? '' : (headers[at + 1] ?? '');
  record({ method: request.method, path: request.path, authorization, target: '', body: '' });
});
