import { appendFileSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { listDocumented } from './document.ts';
import { thorough } from './thorough.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in which each test process records the documented responses that it received. */
    seenAnswers: string;
  }
}

/**
 * Codes of API Gateway's own responses, for unreadable requests and for blocks by a web ACL; and responses that need more
 * data than a test registry has, which the tests of read units cover.
 */
const unseenHere = /(?:bad_request|forbidden|too_much_to_read)$/;

/** One line for each documented response that occurred. */
const readNotes = (folder: string): Set<string> =>
  new Set(
    readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')),
  );

/** Records each line once per process. */
export const createNotes = (folder: string): ((note: string) => void) => {
  const noted = new Set<string>();
  return (note) => {
    if (noted.has(note)) return;
    noted.add(note);
    appendFileSync(join(folder, String(process.pid)), `${note}\n`);
  };
};

/** True if all tests of the API ran, so that a missing response has no test. */
const ranAll = ({ config, vitest }: TestProject): boolean => {
  const ran = vitest.state.getFiles().map(({ filepath }) => filepath);
  const wanted = globSync('test/contract/*.test.ts', { exclude: [...thorough] }).map((file) =>
    resolve(file),
  );
  return config.testNamePattern === undefined && wanted.every((file) => ran.includes(file));
};

/**
 * Collects the documented responses that tests received, and fails if a documented response has no test.
 * It checks complete runs only.
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
