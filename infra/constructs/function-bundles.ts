import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';

/** Where the code of each function is. */
export type FunctionCode = Pick<FunctionBundles, 'codeOf'>;

/** The code of every function, bundled by one esbuild run. */
export class FunctionBundles {
  private readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /** Bundles the functions of `functions/<id>.ts`. Nothing in a construct may wait, so that this comes before any. */
  static async of(functionIds: readonly string[]): Promise<FunctionBundles> {
    const directory = mkdtempSync(join(tmpdir(), 'package-registry-'));
    await build({
      ...bundleOptions,
      entryPoints: functionIds.map((id) => `functions/${id}.ts`),
      outdir: directory,
    });
    return new FunctionBundles(directory);
  }

  /** The asset of one function, with further files beside its code. CDK copies it into the cloud assembly at once. */
  codeOf(functionId: string, files: Readonly<Record<string, string>> = {}): Code {
    const directory = join(this.directory, functionId);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    return Code.fromAsset(directory);
  }

  /** Deletes what esbuild wrote, once every function has its asset. */
  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}
