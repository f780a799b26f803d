import { appendFileSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { listDocumented } from './document.ts';
import { thorough } from './thorough.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in which each process of tests notes what it saw of the document. */
    seenAnswers: string;
  }
}

/**
 * Codes that only API Gateway itself answers with, of requests that it cannot read or a web ACL stops; and what takes more
 * data than a registry of a test has, which the tests of read units see.
 */
const unseenHere = /(?:bad_request|forbidden|too_much_to_read)$/;

/** One line for each answer that was seen. */
const readNotes = (folder: string): Set<string> =>
  new Set(
    readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')),
  );

/** Notes something, once in each process. */
export const createNotes = (folder: string): ((note: string) => void) => {
  const noted = new Set<string>();
  return (note) => {
    if (noted.has(note)) return;
    noted.add(note);
    appendFileSync(join(folder, String(process.pid)), `${note}\n`);
  };
};

/** Whether all tests of the API ran, so that what was not seen is seen by none. */
const ranAll = ({ config, vitest }: TestProject): boolean => {
  const ran = vitest.state.getFiles().map(({ filepath }) => filepath);
  const wanted = globSync('test/contract/*.test.ts', { exclude: [...thorough] }).map((file) =>
    resolve(file),
  );
  return config.testNamePattern === undefined && wanted.every((file) => ran.includes(file));
};

/**
 * Collects what tests see of the document of the API, and fails where something that it documents was seen by none.
 * A run of some files or tests alone is not judged.
 */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'package-registry-seen-'));
  project.provide('seenAnswers', folder);
  return () => {
    const notes = readNotes(folder);
    rmSync(folder, { recursive: true });
    if (!ranAll(project)) return;
    const unseen = listDocumented().filter((one) => !unseenHere.test(one) && !notes.has(one));
    if (unseen.length === 0) return;
    throw new Error(`openapi.json documents what no test saw:\n${unseen.join('\n')}`);
  };
}
