import { join } from 'node:path';
import { PROJECT_ROOT } from '../project-root.ts';
import { runNode } from './cdk-command.ts';

/** Exit code of a successful deployment in which `doctor` found a fault. */
export const DEPLOYED_WITH_FAULTS = 5;

/**
 * Runs `doctor` on the deployed stack. It finds wrong webhook URLs, missing properties and missing permissions. The
 * stack stays in use even if `doctor` finds a fault.
 * @param missing variables of keys that are not stored yet. Without these keys, nothing can be checked
 * @returns the exit code of the deployment
 */
export async function examine(
  {
    stackName,
    missing,
    isSkipped,
  }: Readonly<{ stackName: string; missing: readonly string[]; isSkipped: boolean }>,
  run: (script: string, args: readonly string[]) => Promise<number | null> = runNode,
): Promise<number> {
  const command = `npm run -s cli -- doctor --stack ${stackName}`;
  if (isSkipped || missing.length > 0) {
    const reason = isSkipped ? '--skip-doctor' : 'keys are missing';
    console.log(`\nThe deployment was not checked (${reason}). To check it:\n  ${command}`);
    return 0;
  }
  console.log(`\nChecking what was deployed (${command}):\n`);
  const code = await run(join(PROJECT_ROOT, 'infra/cli/main.ts'), ['doctor', '--stack', stackName]);
  if (code === 0) return 0;
  console.log(
    `\nThe stack ${stackName} is deployed and stays. doctor found faults, see above; this command ends with exit code ${DEPLOYED_WITH_FAULTS}.`,
  );
  return DEPLOYED_WITH_FAULTS;
}
