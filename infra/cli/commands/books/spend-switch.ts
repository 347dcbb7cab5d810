import { command, wording } from '#shared/kernel';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { noteText } from '../../terminal/option-values.ts';
import type { Sheet } from '../../terminal/sheet.ts';

interface StopOptions extends CommandOptions {
  readonly reason: string;
  readonly who?: string;
}

/** `spend stop|resume`: a person stops or resumes all purchases. */
export function addSpendSwitch(spend: SheetCommand): void {
  spend
    .command('stop')
    .description('stop all purchases until spend resume; stored answers are still used')
    .requiredOption('--reason <text>', 'the reason, which every surface shows; no personal data', noteText)
    .option('--who <role>', 'a role or a team, such as "sales operations"', noteText)
    .example('--reason "budget review"')
    .sheet(stop);
  spend.command('resume').description('resume purchases after spend stop').sheet(resume);
}

async function stop(run: CommandRun, { reason, who: by }: StopOptions): Promise<Sheet> {
  const { services } = await run.connect();
  const { stopped } = await services.questions.breakers.stop({ reason, by });
  return {
    json: { stopped },
    body: [
      'Spending is stopped. Requests in flight finish and are booked; no new one is sent.',
      wording`To continue: ${command('spend resume')}`,
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
        ? 'Spending continues. Waiting records are retried within 5 minutes.'
        : wording`No person had stopped spending; for other stops see: ${command('spend')}`,
    ],
  };
}
