import type { SheetCommand } from '../../sheet-command.ts';
import { addApply } from './apply.ts';
import { addCheck } from './check.ts';
import { addCompare } from './compare.ts';

/** `policy check|compare|apply`: checks the policy, compares another one, and applies a change. */
export function addPolicy(program: SheetCommand): void {
  const policy = program.command('policy').description('check, compare and apply the policy');
  for (const add of [addCheck, addCompare, addApply]) add(policy);
}
