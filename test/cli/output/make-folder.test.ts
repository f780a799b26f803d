import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../cli/output/make-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'make-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('makeFolder', () => {
  it('creates a folder with its parents, and leaves an existing one as it is', () => {
    const folder = join(root, 'a/b/c');

    makeFolder(folder, 0o700);
    makeFolder(folder, 0o755);

    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700);
  });

  it('refuses a folder below a file', () => {
    writeFileSync(join(root, 'plain'), '');

    expect(() => makeFolder(join(root, 'plain'))).toThrow('EEXIST');
    expect(() => makeFolder(join(root, 'plain/below'))).toThrow('EEXIST');
  });

  // `mkdirSync` with `recursive` does not end there.
  it.runIf(process.platform === 'linux')('refuses a folder where the system allows none', () => {
    expect(() => makeFolder('/proc/registry/below')).toThrow('ENOENT');
  });
});
