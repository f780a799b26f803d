/** Files with secrets or private keys, which only their owner may read. */
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

const sync = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Replaces a file atomically: a reader sees the old or the new content, because only a complete file is renamed. */
export const replacePrivateFile = async (path: string, content: string): Promise<void> => {
  const temporary = `${path}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
  await sync(dirname(path));
};
