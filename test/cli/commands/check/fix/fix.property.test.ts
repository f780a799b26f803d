import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDependencyFile } from '../../../../../shared/ecosystems/parse-dependency-file.ts';
import { CommandLine } from '../../../../support/command-line.ts';
import { createRandom } from '../../../../support/random.ts';
import { digestOf, type ImageRegistry, startImageRegistry } from './image-registry.ts';
import { kinds, pinnedImages, type RandomFile, tags } from './random-files.ts';

const count = 300;
const mark = '\ufeff';

let registry: ImageRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await startImageRegistry();
  commandLine = CommandLine.install();
  for (const tag of tags) {
    for (const name of pinnedImages) await registry.approve(name, tag);
    await registry.approveUnknown('mongo', tag);
  }
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

/** Random files by path, each in a folder of its own. */
const makeFiles = (): ReadonlyMap<string, RandomFile> => {
  const random = createRandom(20261128);
  return new Map(
    Array.from({ length: count }, (_, at) => {
      const kind = random.pick(kinds);
      const { before, after, pinned } = kind.write(random);
      const start = random.below(4) === 0 ? mark : '';
      const file = { before: `${start}${before}`, after: `${start}${after}`, pinned };
      return [join(`f${at}`, kind.name), file];
    }),
  );
};

it(`writes only digests into ${count} random files, and nothing the second time`, async () => {
  const folder = mkdtempSync(join(commandLine.folder, 'project-'));
  const files = makeFiles();
  for (const [path, { before }] of files) {
    mkdirSync(join(folder, dirname(path)));
    writeFileSync(join(folder, path), before);
  }
  const check = async (...flags: readonly string[]) => {
    const env = { REGISTRY_URL: registry.url };
    const { stdout } = await commandLine.run(['check', '--json', ...flags], { cwd: folder, env });
    return JSON.parse(stdout);
  };

  const first = await check('--fix');

  for (const [path, { before, after }] of files) {
    const found = readFileSync(join(folder, path), 'utf8');
    expect.soft(found, `${path} was ${before}`).toBe(after);
    const { dependencies } = readDependencyFile(path, found.replace(mark, ''));
    const pinned = dependencies.filter(({ name, tag }) => pinnedImages.includes(name) && tag);
    for (const { name, version, tag = '' } of pinned) expect(version).toBe(digestOf(name, tag));
  }
  const total = [...files.values()].reduce((sum, { pinned }) => sum + pinned, 0);
  expect(total).toBeGreaterThan(count);
  expect(first.fixed).toHaveLength(total);
  expect(first.not_fixed.every(({ reason }: { reason: string }) => reason === 'variable')).toBe(
    true,
  );
  const second = await check('--fix');
  expect(second).toEqual({ ...first, fixed: [] });
  for (const [path, { after }] of files) {
    expect(readFileSync(join(folder, path), 'utf8')).toBe(after);
  }
});
