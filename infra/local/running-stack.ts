/** Reads and writes `running.json`, by which other programs find the stack that runs on a data folder. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../shared/util/json.ts';

const schema = z.object({
  /** The addresses of the API and of Lambda's Invoke operation. */
  url: z.string(),
  lambda: z.string(),
  /** The address of the other services, and an administrator's credentials. */
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
  // The mode applies to new files only.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
};

/** Returns the stack that runs on a data folder. @throws {Error} if none was started, or another release wrote the file */
export const readRunningStack = (folder: string): RunningStack => {
  if (!existsSync(fileIn(folder))) {
    throw new Error(`no registry runs on the data folder ${folder}: start one with npm start`);
  }
  const { success, data } = schema.safeParse(parseJson(readFileSync(fileIn(folder), 'utf8')));
  if (success) return data;
  throw new Error(
    `another release ran on the data folder ${folder}: start this one with npm start`,
  );
};
