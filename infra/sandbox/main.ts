#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { systemClock } from '../../shared/kernel/adapters.ts';
import { seededRandom } from '../../shared/kernel/index.ts';
import {
  ACTIVE_KEYS,
  createDataServiceSandbox,
  DEACTIVATED_KEY,
} from './data-service/data-service-sandbox.ts';
import { createHubSpotSandbox } from './hubspot/hubspot-sandbox.ts';
import { type Served, serveSandbox } from './serve.ts';

const USAGE = `npm run sandbox -- [--data-service-port P] [--hubspot-port Q] [--seed N]

Starts each stand-in whose port is given (0 takes any free port).
--seed N  another generated world; 1 by default.`;

interface Arguments {
  readonly dataServicePort: number | undefined;
  readonly hubspotPort: number | undefined;
  readonly seed: number | undefined;
}

class UsageError extends Error {}

function readCommandLine(args: readonly string[]): Arguments {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { 'data-service-port': option, 'hubspot-port': option, seed: option, help: { type: 'boolean' } },
  });
  if (values.help === true) throw new UsageError('');
  const order = {
    dataServicePort: readPort('--data-service-port', values['data-service-port']),
    hubspotPort: readPort('--hubspot-port', values['hubspot-port']),
    seed: readNumber('--seed', values.seed, 2 ** 32 - 1),
  };
  if (order.dataServicePort === undefined && order.hubspotPort === undefined) {
    throw new UsageError('No port given, so there is nothing to start.');
  }
  if (order.dataServicePort === order.hubspotPort && order.dataServicePort !== 0) {
    throw new UsageError('The two stand-ins need two different ports.');
  }
  return order;
}

function readPort(name: string, text: string | undefined): number | undefined {
  return readNumber(name, text, 65_535);
}

function readNumber(name: string, text: string | undefined, maximum: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= maximum) return number;
  throw new UsageError(`${name} must be a whole number from 0 to ${maximum}, not "${text}".`);
}

async function serveDataService(port: number, seed: number | undefined): Promise<Served> {
  const { handle, world } = createDataServiceSandbox({ clock: systemClock, seed });
  const served = await serveSandbox({ handle, port });
  console.log(`
Data service  ${served.url}
  X-API-KEY   ${ACTIVE_KEYS.join(' or ')} (deactivated: ${DEACTIVATED_KEY})
  has         ${world.people.length} people at ${world.companies.length} companies; none of them exists
  try         curl -H 'X-API-KEY: ${ACTIVE_KEYS[0]}' '${served.url}/api/v1/company/profile?domain=${world.companies[0]?.domains[0]}'
  bill        GET  ${served.url}/_sandbox/bill
  records     GET  ${served.url}/_sandbox/records?kind=person|company&limit=&offset=
  settings    GET, PUT ${served.url}/_sandbox/settings   (balance, rate limit, latency, faults)
  start over  POST ${served.url}/_sandbox/reset`);
  return served;
}

async function serveHubSpot(
  port: number,
  order: { seed: number | undefined; stop: AbortSignal },
): Promise<Served> {
  const random = order.seed === undefined ? {} : { random: seededRandom(order.seed) };
  const sandbox = createHubSpotSandbox({ clock: systemClock, ...random });
  const served = await serveSandbox({ handle: sandbox.handle, port });
  void sandbox.startWebhooks(order.stop);
  console.log(`
HubSpot       ${served.url}
  token       Authorization: Bearer sandbox-token (webhooks are signed with sandbox-client-secret)
  webhooks    PUT  ${served.url}/_sandbox/settings {"webhookUrl":"http://..."} starts them
  records     GET  ${served.url}/_sandbox/records; as a person: POST /_sandbox/create, /_sandbox/edit
  settings    GET, PUT ${served.url}/_sandbox/settings
  start over  POST ${served.url}/_sandbox/reset`);
  return served;
}

async function main(): Promise<void> {
  const { dataServicePort, hubspotPort, seed } = readCommandLine(process.argv.slice(2));
  const stop = new AbortController();
  const served: Served[] = [];
  if (dataServicePort !== undefined) served.push(await serveDataService(dataServicePort, seed));
  if (hubspotPort !== undefined) served.push(await serveHubSpot(hubspotPort, { seed, stop: stop.signal }));
  console.log('\nCtrl-C stops.');
  const end = () => {
    stop.abort();
    void Promise.all(served.map((one) => one.close()));
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

/** Explains errors that a person can correct. All other errors keep their stack. */
function explain(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const port = 'port' in error ? ` ${error.port}` : '';
  if (code === 'EADDRINUSE') return `Port${port} is already in use.`;
  if (code === 'EACCES') return `Port${port} may not be opened by this user.`;
  return error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS') ? error.message : undefined;
}

try {
  await main();
} catch (error) {
  const explanation = explain(error);
  if (explanation === undefined) throw error;
  console.error(`${explanation}\n\n${USAGE}`.trim());
  process.exit(explanation === '' ? 0 : 2);
}
