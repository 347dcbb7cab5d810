import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { webhookProblem } from '#shared/alerts';
import { POLICY_FILE } from '../load-policy.ts';
import { settingsError } from './settings-error.ts';

export interface LocalSettings {
  /** End when all records of the demonstration have an outcome. */
  readonly once: boolean;
  readonly fresh: boolean;
  readonly month: boolean;
  /** Seed of the stand-ins' people and companies. Absent for those of the data folder, at first the usual ones. */
  readonly seed?: number | undefined;
  readonly dataFolder: string;
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
  --month        first simulate a month, in some minutes, to have data to look
                 at; with --once, end after it
  --fresh        delete the stand-ins' data and start again
  --seed N       let the stand-ins have other people and companies; a seed gives
                 the same ones again
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

const REAL = [
  'DATA_SERVICE_BASE_URL',
  'DATA_SERVICE_API_KEY',
  'HUBSPOT_ACCESS_TOKEN',
  'HUBSPOT_CLIENT_SECRET',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws SettingsError */
export function readLocalSettings(args: readonly string[], env: Environment): LocalSettings {
  const { once, fresh, month, seed, policy } = readArguments(args);
  const real = realVendors(env);
  if (month && real) throw settingsError('stand-ins-only', { option: '--month' });
  if (seed !== undefined && real) throw settingsError('stand-ins-only', { option: '--seed' });
  return {
    once,
    fresh,
    month,
    seed: seed === undefined ? undefined : numberOf(seed, '--seed'),
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
      seed: { type: 'string' },
      policy: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'unknown argument';
    throw settingsError('unknown-argument', { problem: problem.split('. ', 1)[0] ?? problem });
  }
}

function portOf(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw settingsError('not-a-port', { setting: 'PORT', value: text });
}

/** The message does not quote the address, because anyone who knows the address can post to it. */
function alertWebhookOf(text = ''): string {
  const problem = text === '' ? undefined : webhookProblem(text);
  if (problem) throw settingsError('alert-address-refused', { setting: 'ALERT_WEBHOOK_URL', problem });
  return text;
}

function realVendors(env: Environment): RealVendors | undefined {
  const missing = REAL.filter((name) => !env[name]);
  if (missing.length === REAL.length) return undefined;
  if (missing.length > 0) throw settingsError('settings-missing', { settings: missing });
  return {
    dataServiceBaseUrl: baseUrlOf(env, 'DATA_SERVICE_BASE_URL'),
    dataServiceApiKey: secretOf(env, 'DATA_SERVICE_API_KEY'),
    hubSpotBaseUrl: env['HUBSPOT_BASE_URL'] ? baseUrlOf(env, 'HUBSPOT_BASE_URL') : undefined,
    hubSpotAccessToken: secretOf(env, 'HUBSPOT_ACCESS_TOKEN'),
    hubSpotClientSecret: secretOf(env, 'HUBSPOT_CLIENT_SECRET'),
    hubSpotPortalId: idOf(env, 'HUBSPOT_PORTAL_ID'),
    hubSpotAppId: idOf(env, 'HUBSPOT_APP_ID'),
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
  throw settingsError('not-an-address', { setting: name, value: text });
}

function idOf(env: Environment, name: string): string | undefined {
  const text = env[name];
  if (!text || /^\d{1,20}$/.test(text)) return text || undefined;
  throw settingsError('not-an-id', { setting: name, value: text });
}

/** Requests append a path to the address, so it must have no query. */
function baseUrlOf(env: Environment, name: string): string {
  const text = urlOf(env, name);
  const { search, hash } = new URL(text);
  if (search === '' && hash === '') return text.replace(/\/+$/, '');
  throw settingsError('address-with-query', { setting: name, value: text });
}

/**
 * Rejects a key that was copied with a space or a line end. The service would refuse it, or it could not be sent at
 * all.
 */
function secretOf(env: Environment, name: (typeof REAL)[number]): string {
  const secret = env[name] ?? '';
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw settingsError('not-visible-ascii', { setting: name });
}

function creditsOf(text: string | undefined): number {
  const setting = 'CREDITS_PER_DAY';
  if (!text) throw settingsError('no-budget', { setting });
  return numberOf(text, setting);
}

function numberOf(text: string, setting: string): number {
  const number = Number(text);
  if (text && Number.isSafeInteger(number) && number > 0) return number;
  throw settingsError('not-a-number', { setting, value: text });
}

/** npm scripts that a person starts. Tests and installed packages do not read `.env`. */
const READERS: ReadonlySet<string | undefined> = new Set(['start', 'cli']);

/** Reads settings from `.env` in the project's folder; settings of the shell take precedence. */
export function readEnvFile(): void {
  if (READERS.has(process.env['npm_lifecycle_event']) && existsSync('.env')) process.loadEnvFile('.env');
}
