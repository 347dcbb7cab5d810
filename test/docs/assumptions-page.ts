import type { Assumption } from '../../infra/local/rehearsal/assumption.ts';
import { ASSUMPTIONS } from '../../infra/local/rehearsal/assumptions.ts';
import { NOT_PLAYED_ASSUMPTIONS } from '../../infra/local/rehearsal/aws-assumptions.ts';

export const ASSUMPTIONS_PAGE = 'docs/reference/assumptions.md';
export const NOT_TRIED_PAGE = 'docs/operations/not-tried-on-aws.md';

const BEGINNING = `# Assumptions

The project has never run in a real HubSpot account, with a real data service, or on real AWS. It was tested with stand-ins: programs that imitate these services. This page lists each assumption that the stand-ins make. The column "source" says how sure it is: documented, seen by others, or only our reading of the documents.

Three commands check the assumptions. The last column names the step of the command, or says why there is none.

- \`rehearse hubspot\` checks the assumptions about HubSpot ([guide](../guides/first-real-run.md)).
- \`probe\` checks the assumptions about the data service.
- \`rehearse aws\` checks the assumptions about AWS. Those without a step wait for [a first real deployment](../operations/not-tried-on-aws.md).

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

const NOT_TRIED_BEGINNING = `# What only a real AWS account can show

The project has never run on real AWS. It was tested on [MiniStack](https://pypi.org/project/ministack/), a program that imitates AWS (\`npm run test:aws\`). This list has the points that MiniStack cannot show, or that no test checks there. Check them at the first real run.

If a test stops at such a point, its title ends with \`(not played: ...)\`. A test compares these titles with the list. \`npm run reference\` writes this page.
`;

/** The rows of AWS, for the first deployment. */
export function notTriedPage(): string {
  const rows = NOT_PLAYED_ASSUMPTIONS.map(({ id, source, step }) => [
    `\`${id}\``,
    source.replace(/^documented; on the stand-in /, ''),
    typeof step === 'string' ? `\`rehearse aws\`, step \`${step}\`` : step.none,
  ]);
  const head = ['not played', 'why', 'at the first real run'];
  const table = [head, head.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  return `${NOT_TRIED_BEGINNING}\n${table}`;
}
