import { resolve } from 'node:path';
import { OBJECT_TYPES } from '#shared/crm';
import { type Policy, type PolicyInput, parsePolicy, propertiesOfRules } from '#shared/field-policy';
import { loadPolicy } from '../load-policy.ts';
import { PROJECT_ROOT } from './project-root.ts';
import { type Settings, settingsSchema } from './schemas.ts';

/** Everything that the stack is made from. */
export interface Configuration extends Settings {
  /** The policy as it was written, as JSON: a function fills in the defaults itself. It lies beside its code. */
  readonly policyJson: string;
  /** Its rules for whom to enrich. */
  readonly whom: Policy['whom'];
  /** Properties that its rules read: the app subscribes to their changes. */
  readonly ruleProperties: readonly string[];
  /** IANA name, the policy's: schedules of the kind cron are told in it. */
  readonly timeZone: string;
}

/** A setting that is missing or wrong; the message is one sentence that names it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * The settings among the context of `cdk.json` and the command line. The CDK's own keys have a colon or a slash
 * (feature flags), or are named here; any other key that is no setting is a slip of the pen. An empty text takes a
 * setting away: `-c alarmEmail=`.
 * @throws ConfigurationError
 */
export function readStackSettings(context: Readonly<Record<string, unknown>>): Settings {
  const own = Object.entries(context).filter(
    ([key, value]) => !/[:/]/.test(key) && key !== 'cli-telemetry' && value !== '',
  );
  const result = settingsSchema.safeParse(Object.fromEntries(own));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (!issue) throw new ConfigurationError('The context of cdk.json cannot be used.');
  if (issue.code === 'unrecognized_keys') {
    throw new ConfigurationError(`The context of cdk.json has "${issue.keys[0]}", which is no setting.`);
  }
  const key = String(issue.path[0] ?? 'context');
  if ((context[key] ?? '') === '') throw new ConfigurationError(`The context of cdk.json lacks "${key}".`);
  throw new ConfigurationError(`In the context of cdk.json "${key}" ${issue.message}.`);
}

/** The settings with the policy of the file that they name. @throws ConfigurationError when the file cannot be used. */
export async function loadConfiguration(settings: Settings): Promise<Configuration> {
  const { policy: file } = settings;
  try {
    return withPolicy(settings, await loadPolicy(resolve(PROJECT_ROOT, file)));
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `In the context of cdk.json "policy" names ${file}, which fails: ${problem}`,
    );
  }
}

/** @throws ConfigurationError when the policy cannot be used; the message names the file and each key to change. */
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
    throw new ConfigurationError(`${file}: ${error.message}`);
  }
}
