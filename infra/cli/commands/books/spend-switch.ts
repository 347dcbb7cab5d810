import type { Command } from 'commander';
import { command, wording } from '#shared/kernel/wording.ts';
import type { Cli } from '../../cli.ts';
import { type CommandOptions, type CommandRun, define } from '../../command-run.ts';
import { note } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';

interface StopOptions extends CommandOptions {
  readonly reason: string;
  readonly who?: string;
}

/** `spend stop|resume`: the switch for people. */
export function addSpendSwitch(spend: Command, cli: Cli): void {
  const stopping = spend
    .command('stop')
    .requiredOption('--reason <text>', 'why, for everyone who sees the stop; no personal data', note)
    .option('--who <role>', 'a role or a team, such as "sales operations"', note);
  const manners = {
    about: 'buy nothing more until spend resume; stored answers are still used',
    examples: ['spend stop --reason "budget review"'],
  };
  define(cli, stopping, manners, stop);
  const resuming = { about: 'buy again after spend stop', examples: ['spend resume'] };
  define(cli, spend.command('resume'), resuming, resume);
}

async function stop(run: CommandRun, { reason, who: by }: StopOptions): Promise<Sheet> {
  const { services } = await run.connect();
  const { stopped } = await services.questions.breakers.stop({ reason, by });
  return {
    json: { stopped },
    body: [
      'Spending is stopped. Requests in flight finish and are booked; no new one is sent.',
      wording`To go on: ${command('spend resume')}`,
    ],
  };
}

async function resume(run: CommandRun): Promise<Sheet> {
  const { services } = await run.connect();
  const { stopped } = await services.questions.breakers.resume();
  return {
    json: { resumed: stopped !== undefined },
    body: [
      stopped
        ? 'Spending goes on. Waiting records are tried again within 5 minutes.'
        : wording`No person had stopped spending; for other stops see: ${command('spend')}`,
    ],
  };
}
