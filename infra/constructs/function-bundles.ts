import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { build } from 'esbuild';
import { buildModules } from './build-modules.ts';
import { requireHttp } from './require-http.ts';

const root = join(import.meta.dirname, '../..');

/** ESM has no `require`, which CommonJS packages inside a bundle still call. */
const requireBanner =
  "import{createRequire as createBundleRequire}from'node:module';const require=createBundleRequire(import.meta.url);";

/** Where the code of each function is. */
export type FunctionCode = Pick<FunctionBundles, 'codeOf'>;

/**
 * The code of every function, bundled by one esbuild run: ESM, minified, with the AWS SDK inside, so that what was
 * tested is what runs, and so that it starts faster than with the runtime's own copy.
 */
export class FunctionBundles {
  private readonly directory: string;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /** Bundles the functions of `functions/<id>.ts`. Nothing in a construct may wait, so that this comes before any. */
  static async of(functionIds: readonly string[]): Promise<FunctionBundles> {
    const directory = mkdtempSync(join(tmpdir(), 'package-registry-'));
    await build({
      absWorkingDir: root,
      entryPoints: functionIds.map((id) => `functions/${id}.ts`),
      outdir: directory,
      entryNames: '[name]/index',
      outExtension: { '.js': '.mjs' },
      bundle: true,
      minify: true,
      platform: 'node',
      target: 'node24',
      format: 'esm',
      mainFields: ['module', 'main'],
      alias: {
        '@aws-sdk/credential-provider-node': join(root, 'shared/config/lambda-credentials.ts'),
      },
      banner: { js: requireBanner },
      legalComments: 'none',
      logLevel: 'warning',
      plugins: [buildModules, requireHttp],
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
