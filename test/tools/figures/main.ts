import { parseArgs } from 'node:util';
import { runOneContact } from './contact-path.ts';
import { measureFigures } from './figures.ts';

/**
 * `npm run figures`: prints the size and the cost of the project. `--json` prints them as data. `--path` prints each file
 * that one new contact runs through, with its functions.
 */
const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, path: { type: 'boolean', default: false } },
});

if (values.path) {
  const ran = [...(await runOneContact())].sort(([one], [other]) => one.localeCompare(other));
  for (const [file, names] of ran) console.log(`${file}: ${names.join(', ')}`);
} else {
  const figures = await measureFigures();
  if (values.json) console.log(JSON.stringify(figures, undefined, 2));
  else
    for (const { name, counts } of figures) {
      const parts = Object.entries(counts).map(([unit, count]) => `${count.toLocaleString('en')} ${unit}`);
      console.log(`${name.padEnd(36)}${parts.join(', ')}`);
    }
}
