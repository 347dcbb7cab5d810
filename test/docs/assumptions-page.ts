import type { Assumption } from '../../infra/local/rehearsal/assumption.ts';
import { ASSUMPTIONS } from '../../infra/local/rehearsal/assumptions.ts';
import { NOT_PLAYED_ASSUMPTIONS } from '../../infra/local/rehearsal/aws-assumptions.ts';

export const ASSUMPTIONS_PAGE = 'docs/reference/assumptions.md';
export const NOT_TRIED_PAGE = 'docs/operations/not-tried-on-aws.md';

const BEGINNING = `# Assumptions

The project has never run in a real HubSpot account or on AWS. This page lists what it relies on and what no document settles. \`npm run reference\` writes it from the tables in \`infra/local/rehearsal\`.

- \`rehearse hubspot\` checks the rows of HubSpot that name a step ([guide](../guides/first-real-run.md)).
- \`probe\` checks those of the data service.
- \`rehearse aws\` checks the rows of AWS that name a step. The other ones wait for [a first real deployment](../operations/not-tried-on-aws.md).

A path in the column "if it differs" leads to what to change, so that the stand-in behaves as the real service.
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

The project has run on a stand-in for AWS, [MiniStack](https://pypi.org/project/ministack/) (\`npm run test:aws\`). The stand-in cannot play what this list names, or no test plays it there. The title of each test that stops there ends with \`(not played: ...)\`. A test compares the titles with this list. \`npm run reference\` writes the list. Check these points at the first real run.
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
