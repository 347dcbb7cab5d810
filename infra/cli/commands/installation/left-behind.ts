import { command, type OperatorCommand, wording } from '#shared/kernel';
import type { LeftBehind } from '../../../local/rehearsal/rehearse-hubspot.ts';
import { CliError } from '../../terminal/exit.ts';

export const CLEAN = command('rehearse clean');

/** @param again the command that removes what remains, and continues unless it is `rehearse clean` */
export async function leftBehindError(error: LeftBehind, again: OperatorCommand): Promise<CliError> {
  const { TokenRefused } = await import('../../../local/rehearsal/account.ts');
  const fix = error.cause instanceof TokenRefused ? 'First correct HUBSPOT_ACCESS_TOKEN. ' : '';
  const rest =
    again === CLEAN
      ? wording`To remove the rest: ${CLEAN}`
      : wording`To remove the rest and continue: ${again}. To only remove the rest: ${CLEAN}`;
  const { records } = error;
  const params = { records, reason: error.reason, isTokenRefused: error.cause instanceof TokenRefused };
  return new CliError(wording`${error.message} ${fix}${rest}`, {
    code: 'left-behind',
    params,
  });
}
