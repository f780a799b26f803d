import { readdirSync, readFileSync } from 'node:fs';
import { digest } from '../util/digest.ts';

const root = `${import.meta.dirname}/../..`;

/** Folders with the code that makes lists of the gate. */
const folders = [
  'functions',
  'shared/domain',
  'shared/ecosystems',
  'shared/storage',
  'shared/util',
];

const listFiles = (folder: string): string[] =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`)
    .sort();

/**
 * Digest of the code that makes lists of the gate, computed when a function is bundled. The tag of a list contains it: after a
 * change of the code, no client keeps a list that the earlier code made.
 */
export default digest(
  [...folders.flatMap(listFiles), 'package.json']
    .map((file) => `${file}\n${readFileSync(`${root}/${file}`, 'utf8')}`)
    .join('\n'),
);
