import type { Assumption } from '../../../infra/local/rehearsal/assumption.ts';
import { ASSUMPTIONS } from '../../../infra/local/rehearsal/assumptions.ts';

export const ASSUMPTIONS_PAGE = 'docs/reference/assumptions.md';

const BEGINNING = `# Assumptions

The project has never run in a real HubSpot account, with a real data service, or on real AWS. It was tested with stand-ins: programs that imitate these services. This page lists each assumption that the stand-ins make, with its source in parentheses. The file after it relies on the assumption.

Each heading is a step of the command that checks the assumptions: \`rehearse hubspot\` or \`probe\` ([guide](../guides/hubspot.md#check-our-assumptions)). If an assumption is wrong, the report of the command names the file or setting to change. The points that were not tried on AWS are [a list of their own](../operations/not-tried-on-aws.md). \`npm run reference\` writes this page from \`infra/local/rehearsal\`.
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
