import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Excluded from the copy: generated files, and files that tests do not need. */
const left = ['node_modules', '.git', 'dist', 'cdk.out', '.registry', '.bench'];

/** Copies the project to a new folder, with links to the npm packages, and returns the folder. */
export const copyProject = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'contributing-test-'));
  for (const entry of readdirSync('.').filter((name) => !left.includes(name))) {
    cpSync(entry, join(copy, entry), {
      recursive: true,
      filter: (source) => !source.includes('node_modules'),
    });
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  return copy;
};

/** Changes the text of one file in a copy of the project. */
export const editFile = (copy: string, file: string, change: (text: string) => string): void => {
  const path = join(copy, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
};
