import { counted } from '#shared/kernel';
import { auditRuns } from '#shared/records';
import type { CommandRun, SheetCommand } from '../../sheet-command.ts';
import { EXIT } from '../../terminal/exit.ts';
import type { Sheet } from '../../terminal/sheet.ts';

/** `runs verify`: checks that every opened run has ended, waits or is in progress. */
export function addRuns(program: SheetCommand): void {
  const runs = program.command('runs').description('check that every enrichment run is accounted for');
  runs
    .command('verify')
    .description('check that every run of every record has ended, waits or is in progress')
    .sheet(verifyRuns);
}

async function verifyRuns(run: CommandRun): Promise<Sheet> {
  const { services } = await run.connect();
  const audit = await auditRuns(services.records);
  const { guilty, outcomes, ...counts } = audit;
  const isWhole = audit.lost === 0;
  return {
    json: audit,
    body: [
      { columns: ['runs', 'count'], rows: Object.entries({ ...counts, ...outcomes }) },
      isWhole
        ? '\nEvery opened run has ended, waits or is in progress.'
        : `\n${counted(audit.lost, 'run')} lost, of these records: ${guilty.join(', ')}. See "Books differ" in the runbook.`,
    ],
    exit: isWhole ? EXIT.ok : EXIT.failed,
  };
}
