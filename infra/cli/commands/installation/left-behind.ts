import { command, type OperatorCommand, wording } from '#shared/kernel';
import { CliError, EXIT } from '../../terminal/exit.ts';

export const CLEAN = command('rehearse clean');

/** @param again the command that removes what remains, and continues unless it is `rehearse clean` */
export async function leftBehindError(error: Error, again: OperatorCommand): Promise<CliError> {
  const { TokenRefused } = await import('../../../local/rehearsal/account.ts');
  const fix = error.cause instanceof TokenRefused ? 'First correct HUBSPOT_ACCESS_TOKEN. ' : '';
  const rest =
    again === CLEAN
      ? wording`To remove the rest: ${CLEAN}`
      : wording`To remove the rest and continue: ${again}. To only remove the rest: ${CLEAN}`;
  return new CliError(wording`${error.message} ${fix}${rest}`, { exit: EXIT.failed, code: 'left-behind' });
}
