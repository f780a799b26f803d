/** Loaded registries, kept in `.bench/` until their data or their code changes. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bulkLoad, type LoadProgress } from '../capacity/bulk-load.ts';
import { realisticPackages } from '../support/realistic-packages.ts';
import { startProgressBar } from './progress-bar.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(project, '.bench');

/** The files that determine the content of the tables. */
const sources = [
  'shared/domain/*.ts',
  'shared/api/resources.ts',
  'shared/storage/packages/{version-keys,package-item}.ts',
  'shared/storage/catalogue/*.ts',
  'test/capacity/stored-registry.ts',
  'test/support/{random,realistic-packages}.ts',
];

const sourcesHash = (): string => {
  const hash = createHash('sha256');
  for (const path of globSync(sources, { cwd: project }).sort()) {
    hash.update(path).update(readFileSync(join(project, path)));
  }
  return hash.digest('hex').slice(0, 12);
};

/** The bytes that the engine's import writes for each version: rows, then a compact copy. */
const importedBytesEach = 29_000;
/** The export's share of the time. */
const exportShare = 0.2;

const shareOf = ({ exportedVersions, importedBytes }: LoadProgress, size: number): number => {
  const exported = Math.min(1, exportedVersions / size) * exportShare;
  // The bytes of the copy come much faster than those of the rows, about as their square root makes up for.
  const imported = Math.sqrt(Math.min(0.99, importedBytes / (size * importedBytesEach)));
  return exported + imported * (1 - exportShare);
};

const load = async (size: number, path: string): Promise<void> => {
  // A file has a temporary name until it is complete.
  const part = `${path}.part`;
  rmSync(part, { recursive: true, force: true });
  const bar = startProgressBar(`loading ${size.toLocaleString('en')} versions`);
  await bulkLoad({
    file: join(part, 'database'),
    packages: realisticPackages(size),
    onProgress: (progress) => bar.update(shareOf(progress, size)),
  });
  renameSync(part, path);
  bar.finish();
};

const removeOutdated = (size: number, name: string): void => {
  for (const other of globSync(`${size}-*`, { cwd: folder })) {
    if (other !== name) rmSync(join(folder, other), { recursive: true });
  }
};

/** The database file of the first `size` realistic versions, loaded if it was not kept. */
export const loadedDatabase = async (size: number): Promise<string> => {
  const name = `${size}-${sourcesHash()}`;
  const path = join(folder, name);
  removeOutdated(size, name);
  if (!existsSync(path)) await load(size, path);
  return join(path, 'database');
};
