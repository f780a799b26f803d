/** Prints docstrings for a reader's review, drawn by a seed: `node test/words/draw.ts [SEED] [COUNT]`. */
import { createHash } from 'node:crypto';
import { listDocstrings, loadSource } from './texts.ts';

const [seed = '1', size = '40'] = process.argv.slice(2);

/** The place of a docstring in the drawing. It depends on the seed and the text alone. */
const draw = (text: string): string =>
  createHash('sha256').update(`${seed}\n${text}`).digest('hex');

const drawn = loadSource()
  .flatMap(listDocstrings)
  .map((docstring) => ({ ...docstring, place: draw(docstring.text) }))
  .sort((one, other) => (one.place < other.place ? -1 : 1))
  .slice(0, Number(size));
for (const { file, line, text } of drawn) console.log(`${file}:${line}\n  ${text}\n`);
