import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LambdaFunction, StackModel } from '@package-registry/local-aws';

/** A stack with another file beside the code of functions. */
export interface DeployedFile {
  readonly model: StackModel;
  remove(): void;
}

/** Puts a file beside the code of these functions, each by its ID in the stack. */
export const deployFile = (
  model: StackModel,
  readers: readonly LambdaFunction[],
  { name, text }: { readonly name: string; readonly text: string },
): DeployedFile => {
  const folder = mkdtempSync(join(tmpdir(), 'deployed-file-'));
  const changed = readers.map((reader): readonly [string, LambdaFunction] => {
    const codeDirectory = join(folder, reader.id);
    cpSync(reader.codeDirectory, codeDirectory, { recursive: true });
    writeFileSync(join(codeDirectory, name), text);
    return [reader.id, { ...reader, codeDirectory }];
  });
  return {
    model: { ...model, functions: { ...model.functions, ...Object.fromEntries(changed) } },
    remove: () => rmSync(folder, { recursive: true }),
  };
};
