import type { Assumption } from '../../../infra/local/rehearsal/assumption.ts';
import { ASSUMPTIONS } from '../../../infra/local/rehearsal/assumptions.ts';

export const ASSUMPTIONS_PAGE = 'docs/reference/assumptions.md';

const BEGINNING = `# Assumptions

The project has never run in a real HubSpot account, with a real data service, or on real AWS. It was tested with stand-ins: programs that imitate these services. This page lists each assumption that the stand-ins make. The column "source" says how sure it is: documented, seen by others, or only our reading of the documents.

Two commands check the assumptions. The last column names the step of the command, or says why there is none.

- \`rehearse hubspot\` checks the assumptions about HubSpot ([guide](../guides/first-real-run.md)).
- \`probe\` checks the assumptions about the data service.

What has not been tried on AWS is [a list of its own](../operations/not-tried-on-aws.md).

If an assumption is wrong, the column "if it differs" names the file or setting to change. The stand-in then behaves as the real service does. \`npm run reference\` writes this page from the tables in \`infra/local/rehearsal\`.
`;

/** Builds the page of assumptions, with a chapter for each service. */
export function assumptionsPage(): string {
  const chapters = Object.entries(ASSUMPTIONS).map(
    ([service, assumptions]) => `## ${service}\n\n${tableOf(assumptions)}`,
  );
  return `${BEGINNING}\n${chapters.join('\n')}`;
}

function tableOf(assumptions: readonly Assumption[]): string {
  const rows = assumptions.map(({ id, what, source, reliedOnBy, toChange, test, step }) => {
    const look = typeof step === 'string' ? `\`${step}\`` : `no step: ${step.none}`;
    return [`\`${id}\``, what, source, `\`${reliedOnBy}\``, toChange, `\`${test}\``, look];
  });
  const head = ['id', 'assumption', 'source', 'who relies on it', 'if it differs', 'test', 'rehearsal step'];
  return [head, head.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
