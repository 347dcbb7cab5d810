import { parseArgs } from 'node:util';
import { webhookProblem } from '#shared/alerts';
import { POLICY_FILE } from '../load-policy.ts';

export interface LocalSettings {
  /** End when all records of the demonstration have an outcome. */
  readonly once: boolean;
  /** Empty the data folder first. */
  readonly fresh: boolean;
  /** Simulate a month first, in an empty data folder. */
  readonly month: boolean;
  readonly dataFolder: string;
  /** Path of the policy file. */
  readonly policyFile: string;
  /**
   * Whether `--policy` or `POLICY` sets the file. If so, a command uses this file instead of the running system's
   * policy.
   */
  readonly isPolicyChosen?: boolean;
  readonly port: number;
  /** URL for alerts about budgets, doubts and stops; empty for none. A secret. */
  readonly alertWebhookUrl: string;
  /** Absent for the stand-ins. */
  readonly real?: RealVendors | undefined;
}

export interface RealVendors {
  readonly dataServiceBaseUrl: string;
  readonly dataServiceApiKey: string;
  /** Address that replaces HubSpot's own: of a proxy, or of a stand-in on a port. */
  readonly hubSpotBaseUrl?: string | undefined;
  readonly hubSpotAccessToken: string;
  readonly hubSpotClientSecret: string;
  /** Id of the HubSpot account. Overrides the account of the first start. */
  readonly hubSpotPortalId?: string | undefined;
  /** Our app's id. Used only if HubSpot does not return the id. */
  readonly hubSpotAppId?: string | undefined;
  readonly creditsPerDay: number;
  /** Address of the webhooks, exactly as configured in HubSpot. Without an address, the sweep finds new records. */
  readonly publicUrl?: string | undefined;
}

export const HELP = `Starts the whole system in this process: on stand-ins, or on the real services
when their settings are there.

  npm start -- [options]

  --once         end when every record of the demonstration has an outcome
  --month        first simulate a month, in seconds, to have data to look at;
                 with --once, end after it
  --fresh        delete the stand-ins' data and start again
  --policy FILE  another policy than infra/policy.ts
  --verbose      tell where an error came from
  --help         this

Settings, from the shell or from .env (see .env.example):
  DATA_SERVICE_BASE_URL, DATA_SERVICE_API_KEY,
  HUBSPOT_ACCESS_TOKEN, HUBSPOT_CLIENT_SECRET, CREDITS_PER_DAY
                 the real services; all of them, or none for the stand-ins
  PORT, WEBHOOK_PUBLIC_URL, DATA_DIR, POLICY,
  HUBSPOT_PORTAL_ID, HUBSPOT_APP_ID, HUBSPOT_BASE_URL, ALERT_WEBHOOK_URL
                 optional; see docs/reference/settings.md

Exit codes: 0 done (with --once: all have one, and the books agree), 1 failed
or refused, 130 stopped before the demonstration was over.`;

/** A missing or wrong setting. The message names the setting and the remedy. */
export class SettingsError extends Error {}

const REAL = [
  'DATA_SERVICE_BASE_URL',
  'DATA_SERVICE_API_KEY',
  'HUBSPOT_ACCESS_TOKEN',
  'HUBSPOT_CLIENT_SECRET',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws SettingsError */
export function readLocalSettings(args: readonly string[], env: Environment): LocalSettings {
  const { once, fresh, month, policy } = readArguments(args);
  const real = realVendors(env);
  if (month && real)
    throw new SettingsError(
      '--month runs only on the stand-ins: omit it, or unset the settings of the real services.',
    );
  return {
    once,
    fresh,
    month,
    dataFolder: env['DATA_DIR'] ?? '.data',
    policyFile: policy ?? (env['POLICY'] || POLICY_FILE),
    isPolicyChosen: policy !== undefined || Boolean(env['POLICY']),
    port: portOf(env['PORT']),
    alertWebhookUrl: alertWebhookOf(env['ALERT_WEBHOOK_URL']),
    real,
  };
}

function readArguments(args: readonly string[]) {
  try {
    const options = {
      once: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      month: { type: 'boolean', default: false },
      policy: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'unknown argument';
    throw new SettingsError(`${problem.split('. ', 1)[0]}: see npm start -- --help.`);
  }
}

function portOf(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new SettingsError(`PORT must be a number from 1 to 65535, but is "${text}".`);
}

/** The message does not quote the address, because anyone who knows the address can post to it. */
function alertWebhookOf(text = ''): string {
  const problem = text === '' ? undefined : webhookProblem(text);
  if (problem) throw new SettingsError(`ALERT_WEBHOOK_URL ${problem}.`);
  return text;
}

function realVendors(env: Environment): RealVendors | undefined {
  const missing = REAL.filter((name) => !env[name]);
  if (missing.length === REAL.length) return undefined;
  if (missing.length > 0) {
    throw new SettingsError(
      `To use the real services, also set ${missing.join(', ')}; to use the stand-ins, unset the others.`,
    );
  }
  return {
    dataServiceBaseUrl: baseUrlOf(env, 'DATA_SERVICE_BASE_URL'),
    dataServiceApiKey: secretOf(env, 'DATA_SERVICE_API_KEY'),
    hubSpotBaseUrl: env['HUBSPOT_BASE_URL'] ? baseUrlOf(env, 'HUBSPOT_BASE_URL') : undefined,
    hubSpotAccessToken: secretOf(env, 'HUBSPOT_ACCESS_TOKEN'),
    hubSpotClientSecret: secretOf(env, 'HUBSPOT_CLIENT_SECRET'),
    hubSpotPortalId: idOf(env, 'HUBSPOT_PORTAL_ID', 'account'),
    hubSpotAppId: idOf(env, 'HUBSPOT_APP_ID', 'app'),
    creditsPerDay: creditsOf(env['CREDITS_PER_DAY']),
    publicUrl: env['WEBHOOK_PUBLIC_URL'] ? urlOf(env, 'WEBHOOK_PUBLIC_URL') : undefined,
  };
}

/** Settings of a rehearsal, which needs no data service and no budget. */
export interface RehearsalSettings {
  readonly dataFolder: string;
  readonly port: number;
  /** Absent to rehearse the stand-in. */
  readonly hubSpot?: { readonly accessToken: string; readonly baseUrl: string | undefined } | undefined;
  /** Address of the webhooks, and the secret that signs them. */
  readonly webhooks?: { readonly publicUrl: string; readonly clientSecret: string } | undefined;
}

/** @throws SettingsError */
export function readRehearsalSettings(env: Environment): RehearsalSettings {
  const baseUrl = env['HUBSPOT_BASE_URL'] ? baseUrlOf(env, 'HUBSPOT_BASE_URL') : undefined;
  const areWebhooks = Boolean(env['WEBHOOK_PUBLIC_URL']) && Boolean(env['HUBSPOT_CLIENT_SECRET']);
  return {
    dataFolder: env['DATA_DIR'] ?? '.data',
    port: portOf(env['PORT']),
    hubSpot: env['HUBSPOT_ACCESS_TOKEN']
      ? { accessToken: secretOf(env, 'HUBSPOT_ACCESS_TOKEN'), baseUrl }
      : undefined,
    webhooks: areWebhooks
      ? {
          publicUrl: urlOf(env, 'WEBHOOK_PUBLIC_URL'),
          clientSecret: secretOf(env, 'HUBSPOT_CLIENT_SECRET'),
        }
      : undefined,
  };
}

function urlOf(env: Environment, name: string): string {
  const text = env[name] ?? '';
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new SettingsError(`${name} must be a URL that starts with https://, but is "${text}".`);
}

function idOf(env: Environment, name: string, idKind: string): string | undefined {
  const text = env[name];
  if (!text || /^\d{1,20}$/.test(text)) return text || undefined;
  throw new SettingsError(`${name} must be the digits of the ${idKind} id, but is "${text}".`);
}

/** Requests append a path to the address, so it must have no query. */
function baseUrlOf(env: Environment, name: string): string {
  const text = urlOf(env, name);
  const { search, hash } = new URL(text);
  if (search === '' && hash === '') return text.replace(/\/+$/, '');
  throw new SettingsError(`${name} must be an address without "?" and "#", but is "${text}".`);
}

/**
 * Rejects a key that was copied with a space or a line end. The service would refuse it, or it could not be sent at
 * all.
 */
function secretOf(env: Environment, name: (typeof REAL)[number]): string {
  const secret = env[name] ?? '';
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new SettingsError(
    `${name} must consist of visible ASCII characters only: copy it again, without spaces or line ends.`,
  );
}

function creditsOf(text: string | undefined): number {
  const credits = Number(text);
  if (text && Number.isSafeInteger(credits) && credits > 0) return credits;
  if (text) throw new SettingsError(`CREDITS_PER_DAY must be a whole number from 1, but is "${text}".`);
  throw new SettingsError(
    'Set CREDITS_PER_DAY to the number of credits that may be spent in a day: with real services nothing starts without a budget.',
  );
}
