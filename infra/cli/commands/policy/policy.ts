import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { addApply } from './apply.ts';
import { addCheck } from './check.ts';
import { addCompare } from './compare.ts';

/** `policy check|compare|apply`: what may be asked, written and spent, and what a change of it would do. */
export function addPolicy(program: Command, cli: Cli): void {
  const policy = program.command('policy').description('what may be asked, written and spent');
  for (const add of [addCheck, addCompare, addApply]) add(policy, cli);
}
