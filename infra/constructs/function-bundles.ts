import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';

/** Returns the code of each function. */
export type FunctionCode = Pick<FunctionBundles, 'codeOf'>;

/** The bundles of all functions, from one run of esbuild. */
export class FunctionBundles {
  private readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /** Bundles `functions/<id>.ts` for each id. Constructs cannot await anything, so the bundles come before them. */
  static async of(functionIds: readonly string[]): Promise<FunctionBundles> {
    const directory = mkdtempSync(join(tmpdir(), 'package-registry-'));
    await build({
      ...bundleOptions,
      entryPoints: functionIds.map((id) => `functions/${id}.ts`),
      outdir: directory,
    });
    return new FunctionBundles(directory);
  }

  /** Returns the asset of one function, with more files beside its code. CDK copies the asset at once. */
  codeOf(functionId: string, files: Readonly<Record<string, string>> = {}): Code {
    const directory = join(this.directory, functionId);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    return Code.fromAsset(directory);
  }

  /** Deletes the bundles. Call it after every function has its asset. */
  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}
