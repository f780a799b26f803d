import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { PluginBuild } from 'esbuild';
import { listExports, writeStandIn } from './stand-in.ts';

/** Returns the remaining content of a module. */
type Trim = (path: string, build: PluginBuild) => string | Promise<string>;

/** Suffix of a path that loads the whole module. */
export const whole = '?whole';

/** Returns a module that keeps some exports of the whole module. The others throw an error that names the module. */
const keepExports =
  (...kept: readonly string[]): Trim =>
  async (path, build) => {
    const others = (await listExports(build, path)).filter((name) => !kept.includes(name));
    const from = JSON.stringify(`${path}${whole}`);
    return `export { ${kept.join(', ')} } from ${from};${writeStandIn(path, others)}`;
  };

/** Errors of the operations on items. The others concern tables, backups, imports, exports and PartiQL. */
const itemErrors: ReadonlySet<string> = new Set([
  'ConditionalCheckFailedException',
  'IdempotentParameterMismatchException',
  'InternalServerError',
  'InvalidEndpointException',
  'ItemCollectionSizeLimitExceededException',
  'ProvisionedThroughputExceededException',
  'ReplicatedWriteConflictException',
  'RequestLimitExceeded',
  'ResourceNotFoundException',
  'ThrottlingException',
  'TransactionCanceledException',
  'TransactionConflictException',
  'TransactionInProgressException',
]);

/** Returns DynamoDB's schemas without the classes of other errors. The client names these, too, but has no class of their own. */
const trimErrors: Trim = (path) =>
  readFileSync(path, 'utf8').replace(
    /^n0_registry\.registerError\((\w+)\$, \1\);$/gm,
    (line, name) => (itemErrors.has(name) ? line : ''),
  );

interface Partition {
  readonly regionRegex: string;
  readonly regions: Readonly<Record<string, unknown>>;
}

/** Returns the partitions without the regions that their pattern matches: a list of these only adds descriptions. */
const trimPartitions: Trim = async (path) => {
  const { partitionsInfo } = await import(pathToFileURL(path).href);
  const partitions = partitionsInfo.partitions.map((partition: Partition) => {
    const others = Object.keys(partition.regions).filter(
      (region) => !new RegExp(partition.regionRegex).test(region),
    );
    return { ...partition, regions: Object.fromEntries(others.map((region) => [region, {}])) };
  });
  return `export const partitionsInfo = ${JSON.stringify({ ...partitionsInfo, partitions })};`;
};

/** Modules of packages of which functions use a part, by the end of their paths, and what remains of each. */
export const trimmed: Readonly<Record<string, Trim>> = {
  '@aws-sdk/client-dynamodb/dist-es/schemas/schemas_0.js': trimErrors,
  '@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js': trimPartitions,
  // Lambda has no configuration files. The settings of clients come from the environment.
  '@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js': () => `
    export { CONFIG_PREFIX_SEPARATOR } from './constants';
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
  // AWS's JSON protocols have times in seconds.
  '@smithy/core/dist-es/submodules/serde/date-utils.js': keepExports('parseEpochTimestamp'),
  // Only messages of streams have such headers. Each signer makes a formatter.
  '@smithy/signature-v4/dist-es/HeaderFormatter.js': () => 'export class HeaderFormatter {}',
  // hosted-git-info keeps its last answers. A bounded map suffices.
  'lru-cache/dist/commonjs/node/index.min.js': () => `
    module.exports.LRUCache = class extends Map {
      constructor({ max }) { super(); this.max = max; }
      set(key, value) { if (this.size >= this.max) this.clear(); return super.set(key, value); }
    };`,
  // Parsed JSON has no cycles.
  'zod/v4/core/memoizer.js': () => `
    export const memoizer = () => undefined;
    export const isBackEdge = () => false;
    export const isRecursiveSchema = () => false;`,
  // Package URLs are only split. The registry has its own rules for types and names.
  ...Object.fromEntries(
    ['purl-component', 'purl-qualifier-names', 'purl-type'].map((name) => [
      `packageurl-js/src/${name}.js`,
      () => 'module.exports = {};',
    ]),
  ),
};
