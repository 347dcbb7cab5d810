import type { NewId } from '#shared/kernel';
import { systemIds } from '#shared/kernel/adapters';
import { isRunning } from './announce.ts';

/** Ids for claims and requests of this process. They name it, so that a later process sees that it has ended. */
export const processIds: NewId = () => `p${process.pid.toString(36)}-${systemIds()}`;

const NAMED = /^p([0-9a-z]+)-/;

/**
 * Whether an earlier process made the id and has ended. Asked before this process makes its first. Says no if another
 * program has the number by now; the time limits of claims and requests then decide.
 */
export function isOfEndedProcess(id: string): boolean {
  const [, name] = NAMED.exec(id) ?? [];
  if (name === undefined) return false;
  const pid = Number.parseInt(name, 36);
  // In a container, every process has the same number.
  return pid === process.pid || !isRunning(pid);
}
