import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { makeFastFolder } from '../support/fast-folder.ts';
import type { RealisticPackage } from '../support/realistic-packages.ts';
import { bulkLoad, importItems } from './bulk-load.ts';
import type { StoredItems } from './stored-registry.ts';

/** An engine with loaded data. Closing it deletes its file. */
const openLoaded = async (load: (file: string) => Promise<void>): Promise<TestEngine> => {
  const folder = makeFastFolder('loaded-registry-');
  const file = join(folder, 'database');
  await load(file);
  const engine = await startEngine({ file });
  return {
    ...engine,
    close: async () => {
      await engine.close();
      rmSync(folder, { recursive: true });
    },
  };
};

/** An engine with these versions in it, for the store in this process. */
export const openRegistry = (packages: Iterable<RealisticPackage>): Promise<TestEngine> =>
  openLoaded((file) => bulkLoad({ file, packages }));

/** An engine with these items in its tables, for the store in this process. */
export const openItems = (items: Iterable<Partial<StoredItems>>): Promise<TestEngine> =>
  openLoaded((file) => importItems({ file, items }));
