import type { Assumption } from '../../../infra/local/rehearsal/assumption.ts';
import { ASSUMPTIONS } from '../../../infra/local/rehearsal/assumptions.ts';

export const ASSUMPTIONS_PAGE = 'docs/reference/assumptions.md';

const BEGINNING = `# Assumptions

The project has never run with a real HubSpot account, a real data service or real AWS. It was tested with stand-ins: programs that imitate these services. This page lists what the stand-ins assume, each with its source and the file that relies on it. [AWS](../operations/not-tried-on-aws.md) has a list of its own.

Each heading is a step of \`rehearse hubspot\` or \`probe\`, which [check the assumptions](../guides/hubspot.md#check-our-assumptions). \`npm run reference\` writes this page from \`infra/local/rehearsal\`.
`;

/** Builds the page of assumptions, with a chapter for each service and a part for each step. */
export function assumptionsPage(): string {
  const chapters = Object.entries(ASSUMPTIONS).map(
    ([service, assumptions]) => `## ${service}\n\n${partsOf(assumptions)}`,
  );
  return `${BEGINNING}\n${chapters.join('\n')}`;
}

function partsOf(assumptions: readonly Assumption[]): string {
  const steps = Map.groupBy(assumptions, ({ step }) => (typeof step === 'string' ? step : 'No step'));
  const parts = [...steps].map(([step, rows]) => `### ${step}\n\n${rows.map((row) => lineOf(row)).join('')}`);
  return parts.join('\n');
}

function lineOf({ id, what, source, reliedOnBy, step }: Assumption): string {
  const why = typeof step === 'string' ? '' : ` Not checked: ${step.none}.`;
  return `- \`${id}\`: ${what} (${source}) \`${reliedOnBy}\`${why}\n`;
}
