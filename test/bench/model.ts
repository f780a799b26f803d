/** `npm run bench:model`: the price of a month at several sizes, from counted units and list prices. */
import { parseArgs } from 'node:util';
import {
  modelledBuilds,
  modelledSizes,
  priceBuilds,
  priceMonth,
  priceSigning,
} from './model/month.ts';
import { tableOfBuilds, tableOfMonths, tableOfSigning } from './model/report.ts';

const help = `Prints the price of a month in USD. Usage: npm run bench:model -- [options]

  --json       print the figures as JSON
  --help       show this

The units are counted (test/bench/model/counted-operations.ts); the prices (prices.ts) and the work of a
month (workload.ts) are written down beside them.
`;

const { json, help: isHelp } = parseArgs({
  options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
}).values;

const months = modelledSizes.map(priceMonth);
const signing = modelledSizes.map(priceSigning);
const builds = priceBuilds(modelledBuilds);

if (isHelp) process.stdout.write(help);
else if (json)
  process.stdout.write(`${JSON.stringify({ months, signing, builds }, undefined, 2)}\n`);
else {
  const tables = [tableOfMonths(months), tableOfSigning(signing), tableOfBuilds(builds)];
  process.stdout.write(`${tables.join('\n\n')}\n`);
}
