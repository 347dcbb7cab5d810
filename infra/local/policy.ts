import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Policy, parsePolicy } from '#shared/field-policy';
import { loadPolicy } from '../load-policy.ts';
import { VIEWER } from '../sandbox/hubspot/state.ts';
import type { LocalSettings } from './settings.ts';
import { settingsError } from './settings-error.ts';

/**
 * Loads the policy file. With the real services, CREDITS_PER_DAY sets the daily budget, so that a changed file cannot
 * raise it.
 * @throws SettingsError that names the file and the remedy.
 */
export async function localPolicy({
  policyFile,
  real,
}: Pick<LocalSettings, 'policyFile' | 'real'>): Promise<Policy> {
  const written = await read(policyFile);
  return real
    ? { ...written, budgets: { ...written.budgets, perDay: real.creditsPerDay } }
    : withStandInUser(written);
}

/** The stand-in HubSpot's own user may do everything, as well as the users of the policy. */
function withStandInUser({ people, ...policy }: Policy): Policy {
  const { spend, decide, approve, resume } = people;
  const withViewer = (users: readonly string[]) => [...new Set([...users, String(VIEWER.userId)])];
  const lists = {
    spend: withViewer(spend),
    decide: withViewer(decide),
    approve: withViewer(approve),
    resume: withViewer(resume),
  };
  return { ...policy, people: { ...people, ...lists } };
}

async function read(file: string): Promise<Policy> {
  if (!existsSync(file)) throw settingsError('no-policy-file', { file });
  try {
    return parsePolicy(await loadPolicy(resolve(file)));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const refused = settingsError('policy-fails', { file, problem: problem.replace(/\.$/, '') });
    throw Object.assign(refused, { cause: error });
  }
}
