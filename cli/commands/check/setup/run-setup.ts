import { lstatSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NegativeResultError } from '../../../failure/negative-result-error.ts';
import { askYes } from '../../../input/ask-yes.ts';
import { UsageError } from '../../../input/usage-error.ts';
import { makeFolder } from '../../../output/make-folder.ts';
import { writeResult } from '../../../output/result.ts';
import { toPrintable } from '../../../output/text.ts';
import type { Session } from '../../../session/session.ts';
import { toShownPath } from '../find-files.ts';
import { type ClientSetup, type FileEdit, findClients } from './clients.ts';
import { listChanges } from './edit-lines.ts';

/** The setup of one file: a change, or what people have to write by hand. */
interface PlannedFile {
  readonly client: string;
  readonly path: string;
  readonly change: 'new' | 'changed' | 'unchanged' | 'by_hand';
  readonly before: string;
  readonly after: string;
  readonly byHand: string;
}

/** Returns the text of a file; an empty text for a file that does not exist, and undefined for one behind a link. */
const readOwnFile = (path: string): string | undefined => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return '';
  return found.isFile() ? readFileSync(path, 'utf8') : undefined;
};

const planFile = (folder: string, client: string, edit: FileEdit): PlannedFile => {
  const path = join(folder, edit.file);
  const before = readOwnFile(path);
  const after = before === undefined ? undefined : edit.edit(before);
  const common = { client, path, before: before ?? '', byHand: edit.byHand };
  if (before === undefined || after === undefined) {
    return { ...common, change: 'by_hand', after: before ?? '' };
  }
  if (after === before) return { ...common, change: 'unchanged', after };
  return { ...common, change: before === '' ? 'new' : 'changed', after };
};

/** @throws {UsageError} for a path that is no folder, or has no package manager that the gate serves */
const findSetups = (folder: string, url: string): readonly ClientSetup[] => {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`${folder} is no folder. --setup needs the folder of a project.`);
  }
  const setups = findClients(url, {
    names: readdirSync(folder),
    read: (name) => readOwnFile(join(folder, name)) ?? '',
  });
  if (setups.length > 0) return setups;
  throw new UsageError(
    `${folder} has no lockfile or manifest of npm, pnpm, Yarn, Bun, uv, Poetry, pip or Maven. Run the command in the folder of a project.`,
  );
};

/** Replaces a file at once, so that an interruption leaves no half of it. */
const writeWhole = (path: string, text: string): void => {
  makeFolder(dirname(path));
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  writeFileSync(`${path}.new`, text, mode === undefined ? {} : { mode });
  renameSync(`${path}.new`, path);
};

const titles: Readonly<Record<PlannedFile['change'], string>> = {
  new: 'new file',
  changed: 'changes',
  unchanged: 'is right already',
  by_hand: 'cannot be changed safely. Write this by hand',
};

const indent = (lines: readonly string[]): string =>
  lines.map((line) => `  ${toPrintable(line)}\n`).join('');

const show = ({ client, path, change, before, after, byHand }: PlannedFile): string => {
  const title = `${toShownPath(path)} (${client}): ${titles[change]}`;
  if (change === 'unchanged') return `${title}.\n`;
  const lines = change === 'by_hand' ? byHand.split('\n') : listChanges(before, after);
  return `${title}:\n${indent(lines)}`;
};

/** Writes the files if the user agrees. Returns whether all of them are right now. */
const apply = async (
  files: readonly PlannedFile[],
  { isAgreed, session }: { readonly isAgreed: boolean; readonly session: Session },
): Promise<boolean> => {
  const changed = files.filter(({ change }) => change === 'new' || change === 'changed');
  if (changed.length === 0) return true;
  const { terminal, format } = session;
  const mayAsk = format === 'people' && terminal.err.isTerminal && process.stdin.isTTY === true;
  const count = changed.length === 1 ? 'this file' : `these ${changed.length} files`;
  if (!isAgreed && !(mayAsk && (await askYes(`Write ${count}? [y/N] `)))) return false;
  for (const { path, after } of changed) writeWhole(path, after);
  return true;
};

/**
 * Writes the configuration with which the package managers of a project use the gate, after it has shown the changes. It
 * sends no request, and writes no token.
 * @throws {UsageError} if the folder has no package manager that the gate serves
 * @throws {NegativeResultError} if nothing was written, or something has to be written by hand
 */
export const runSetup = async (
  folders: readonly string[],
  { yes = false }: { readonly yes?: boolean },
  session: Session,
): Promise<void> => {
  const { terminal, format, settings } = session;
  const url = settings.url.value;
  const given = folders.length > 0 ? folders : ['.'];
  const setups = given.flatMap((folder) =>
    findSetups(folder, url).map((setup) => ({ folder, setup })),
  );
  const files = setups.flatMap(({ folder, setup }) =>
    setup.edits.map((edit) => planFile(folder, setup.client, edit)),
  );
  if (format === 'people') for (const file of files) terminal.out.write(show(file));
  const isWritten = await apply(files, { isAgreed: yes, session });
  if (format !== 'people') {
    const shown = files.map(({ client, path, change, after, byHand }) => ({
      ...{ client, file: toShownPath(path), change },
      content: change === 'by_hand' ? byHand : after,
    }));
    writeResult({ files: shown, written: isWritten }, terminal, { format: 'json' });
  }
  if (!isWritten) throw new NegativeResultError('Nothing was written. Add --yes to write it.');
  if (files.some(({ change }) => change === 'by_hand')) {
    throw new NegativeResultError('Some settings have to be written by hand: see above.');
  }
  if (format !== 'people') return;
  const commands = [...new Set(setups.map(({ setup }) => setup.next))];
  terminal.err.write(`Next, install through the gate: ${commands.join(', ')}\n`);
};
