import { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { addApply } from './apply.ts';
import { addCheck } from './check.ts';
import { addCompare } from './compare.ts';

/** `policy check|compare|apply`: what may be asked, written and spent, and what a change of it would do. */
export function policyCommand(cli: Cli): Command {
  const policy = new Command('policy').description('what may be asked, written and spent');
  addCheck(policy, cli);
  addCompare(policy, cli);
  addApply(policy, cli);
  return policy;
}
