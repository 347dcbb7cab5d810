import { parseArgs } from 'node:util';
import { measureAskingCost } from './asking-cost.ts';
import { measureAwsCosts } from './aws-costs.ts';
import { measureFastRate } from './fast-rate.ts';
import { measureRateShareBeside } from './rate-share-beside.ts';
import { measureRefreshOrder } from './refresh-order.ts';

/** Each returns its part of the report, in Markdown. */
const MEASURES: readonly { readonly name: string; readonly run: () => Promise<string> }[] = [
  { name: "Use of the vendor's rate", run: measureRateShareBeside },
  { name: 'DynamoDB per question', run: measureAskingCost },
  { name: 'What AWS asks', run: measureAwsCosts },
  { name: 'Fresh leads beside a large import', run: measureFastRate },
  { name: 'Order of the refresh', run: measureRefreshOrder },
];

const USAGE = `npm run bench [-- --only N]

Measures, and prints tables in Markdown:
${MEASURES.map(({ name }, index) => `  ${index + 1}  ${name}`).join('\n')}
--only N  only that one; may be given more than once.`;

function readOrder(): ReadonlySet<number> {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
  const wanted = values.only?.map(Number) ?? MEASURES.map((_, index) => index + 1);
  const unknown = wanted.find((number) => MEASURES[number - 1] === undefined);
  if (unknown !== undefined) throw new RangeError(`There is no measure ${unknown}.`);
  return new Set(wanted);
}

async function report(wanted: ReadonlySet<number>): Promise<void> {
  for (const [index, { name, run }] of MEASURES.entries()) {
    if (!wanted.has(index + 1)) continue;
    console.log(`\n## ${index + 1}. ${name}\n`);
    console.log(`${await run()}\n`);
  }
}

try {
  const wanted = readOrder();
  const startedAt = performance.now();
  await report(wanted);
  console.log(`Took ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`);
} catch (error) {
  const isUsage = error instanceof RangeError || (error instanceof TypeError && 'code' in error);
  if (!isUsage) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
