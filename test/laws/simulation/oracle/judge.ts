import { answerFaults } from './answers.ts';
import { backfillFaults } from './backfills.ts';
import { correctionFaults } from './corrections.ts';
import type { Evidence } from './evidence.ts';
import { faceFaults } from './faces.ts';
import { moneyFaults } from './money.ts';
import { acceptanceFaults, peopleFaults, rejectedFaults } from './people.ts';
import { rateFaults } from './rate.ts';
import { recordFaults, whomFaults } from './records.ts';
import { shareFaults } from './shares.ts';
import { stopFaults } from './stops.ts';
import { totalFaults } from './totals.ts';
import { turnFaults } from './turns.ts';
import { wasteFaults } from './waste.ts';

/** Lists every broken invariant, in words. */
export function judge(evidence: Evidence): string[] {
  return [
    ...moneyFaults(evidence),
    ...rateFaults(evidence),
    ...peopleFaults(evidence),
    ...acceptanceFaults(evidence),
    ...answerFaults(evidence),
    ...backfillFaults(evidence),
    ...correctionFaults(evidence),
    ...faceFaults(evidence),
    ...recordFaults(evidence),
    ...rejectedFaults(evidence),
    ...shareFaults(evidence),
    ...stopFaults(evidence),
    ...totalFaults(evidence),
    ...turnFaults(evidence),
    ...wasteFaults(evidence),
    ...whomFaults(evidence),
  ];
}
