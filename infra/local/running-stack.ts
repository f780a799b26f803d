/** What a data folder tells of the stack that runs on it, so that other programs find it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../shared/util/json.ts';

const schema = z.object({
  /** The API, and where functions can be invoked. */
  url: z.string(),
  lambda: z.string(),
  /** The other services, and who may do everything there. */
  aws: z.object({
    endpoint: z.string(),
    credentials: z.object({
      accessKeyId: z.string(),
      secretAccessKey: z.string(),
      sessionToken: z.string(),
    }),
  }),
  outputs: z.record(z.string(), z.string()),
});

export type RunningStack = z.infer<typeof schema>;

const fileIn = (folder: string): string => join(folder, 'running.json');

export const writeRunningStack = (folder: string, stack: RunningStack): void => {
  const file = fileIn(folder);
  // A mode holds for new files alone.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
};

/** @throws {Error} when nothing was ever started on the folder, or by a release that told other things */
export const readRunningStack = (folder: string): RunningStack => {
  if (!existsSync(fileIn(folder))) {
    throw new Error(`no registry runs on the data folder ${folder}: start one by npm start`);
  }
  const { success, data } = schema.safeParse(parseJson(readFileSync(fileIn(folder), 'utf8')));
  if (success) return data;
  throw new Error(`another release ran on the data folder ${folder}: start this one by npm start`);
};
