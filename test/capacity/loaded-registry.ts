import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { makeFastFolder } from '../support/fast-folder.ts';
import type { RealisticPackage } from '../support/realistic-packages.ts';
import { bulkLoad } from './bulk-load.ts';

/** An engine with these versions in it, for the store in this process. Closing it deletes them. */
export const openRegistry = async (packages: Iterable<RealisticPackage>): Promise<TestEngine> => {
  const folder = makeFastFolder('loaded-registry-');
  const file = join(folder, 'database');
  await bulkLoad({ file, packages });
  const engine = await startEngine({ file });
  return {
    ...engine,
    close: async () => {
      await engine.close();
      rmSync(folder, { recursive: true });
    },
  };
};
