import { resolve } from 'node:path';
import { OBJECT_TYPES } from '#shared/crm';
import { type Policy, type PolicyInput, parsePolicy, propertiesOfRules } from '#shared/field-policy';
import { loadPolicy } from '../load-policy.ts';
import { ConfigurationError } from './configuration-faults.ts';
import { PROJECT_ROOT } from './names.ts';
import { type Settings, settingsSchema } from './schemas.ts';

export interface Configuration extends Settings {
  /**
   * The policy as the operator wrote it, as JSON. It is stored beside the functions' code, and each function adds the
   * defaults.
   */
  readonly policyJson: string;
  readonly whom: Policy['whom'];
  /** Properties that the policy's rules read. The app subscribes to their changes. */
  readonly ruleProperties: readonly string[];
  readonly timeZone: string;
}

/**
 * Reads the settings from the context of `cdk.json` and the command line. Ignores the CDK's own keys: `cli-telemetry`,
 * and feature flags, which contain a colon or a slash. Any other unknown key is an error. An empty text removes a
 * setting: `-c alarmEmail=`.
 * @throws ConfigurationError
 */
export function readStackSettings(context: Readonly<Record<string, unknown>>): Settings {
  const settingsOnly = Object.entries(context).filter(
    ([key, value]) => !/[:/]/.test(key) && key !== 'cli-telemetry' && value !== '',
  );
  const result = settingsSchema.safeParse(Object.fromEntries(settingsOnly));
  if (result.success) return result.data;
  const { issues } = result.error;
  // A misspelt setting is also a missing one, and its name says more.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (!issue) throw new ConfigurationError('unusable-context', {});
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(settingsSchema.shape).join(', ');
    throw new ConfigurationError('unknown-setting', { key: String(issue.keys[0]), known });
  }
  const key = String(issue.path[0] ?? 'context');
  if ((context[key] ?? '') === '') throw new ConfigurationError('missing-setting', { key });
  throw new ConfigurationError('wrong-setting', { key, problem: issue.message });
}

/** Loads the policy file that the settings name. @throws ConfigurationError if the file cannot be used. */
export async function loadConfiguration(settings: Settings): Promise<Configuration> {
  const { policy: file } = settings;
  try {
    return withPolicy(settings, await loadPolicy(resolve(PROJECT_ROOT, file)));
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError('policy-fails', { file, problem });
  }
}

/**
 * Adds the policy to the settings. @throws ConfigurationError if the policy is invalid. The message names the file and
 * each key to change.
 */
export function withPolicy(settings: Settings, policy: unknown): Configuration {
  const valid = parsed(settings.policy, policy);
  const { timeZone, whom } = valid;
  const ruleProperties = [...new Set(OBJECT_TYPES.flatMap((type) => propertiesOfRules(valid, type).own))];
  const policyJson = JSON.stringify(policy satisfies unknown as PolicyInput);
  return { ...settings, policyJson, whom, ruleProperties, timeZone };
}

function parsed(file: string, policy: unknown) {
  try {
    return parsePolicy(policy);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new ConfigurationError('policy-invalid', { file, problem: error.message });
  }
}
