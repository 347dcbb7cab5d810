import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { ClientRequest } from 'node:http';
import { recordedCall, type SentRequest } from './aws-call-name.ts';

/**
 * Preloaded into the commands of a rehearsal on AWS. They end with the rehearsal, also when it is killed: otherwise a
 * deployment would go on beside its removal. They write down which calls of AWS they make, without arguments.
 */
const PARENT_LOOK_MS = 250;
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, PARENT_LOOK_MS).unref();

const { REHEARSAL_CALLS: file, AWS_ACCESS_KEY_ID: own } = process.env;

function record(request: SentRequest): void {
  const call = recordedCall(request);
  // The CDK's roles sign with keys of their own.
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

/** `fetch` has a client of its own. */
subscribe('undici:request:create', (message) => {
  const { request } = message as { request: { method: string; path: string; headers: unknown } };
  const headers = Array.isArray(request.headers) ? request.headers.map(String) : [];
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
  const authorization = at < 0 ? '' : (headers[at + 1] ?? '');
  record({ method: request.method, path: request.path, authorization, target: '', body: '' });
});
