import { readdirSync, readFileSync } from 'node:fs';
import { knownLicenses } from '../domain/licenses/catalogue.ts';
import { digest } from '../util/digest.ts';

const folder = `${import.meta.dirname}/../domain/licenses`;

const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .toSorted()
  .map((path) => readFileSync(`${folder}/${path}`, 'utf8'));

/** Digest of the rules and data that normalize licenses. Computed when functions are bundled. */
export default digest([sources, knownLicenses]);
