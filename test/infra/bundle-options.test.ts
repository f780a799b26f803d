import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { bundleOptions } from '../../infra/constructs/bundle-options.ts';
import { allRoutes } from '../../shared/api/all-routes.ts';

/** Returns the exports of a bundle of this text. */
const loadText = async (contents: string) => {
  const stdin = { contents, loader: 'ts', resolveDir: process.cwd() } as const;
  const { outputFiles } = await build({ ...bundleOptions, stdin, outdir: '.', write: false });
  const [code = ''] = outputFiles.map(({ text }) => text);
  // A module of such an address has no files to require from.
  const ownRequire = code.replace('import.meta.url', JSON.stringify(import.meta.url));
  return import(`data:text/javascript,${encodeURIComponent(ownRequire)}`);
};

const endpoints = join(
  bundleOptions.absWorkingDir,
  'node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws',
);
const [partitionModule, partitionsModule] = ['partition.js', 'partitions.js'].map((name) =>
  join(endpoints, name),
) as [string, string];

const listenAnywhere = (server: Server): Promise<AddressInfo> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo));
  });

describe('a bundle', () => {
  it('contains every endpoint if a function lists them', async () => {
    const { ids } = await loadText(`
      import * as routes from './shared/api/routes.ts';
      export const ids = Object.values(routes).map(({ id }) => id);`);

    expect(ids.sort()).toEqual(allRoutes.map(({ id }) => id).sort());
  });

  it("validates with zod's schemas, and throws if it must describe one", async () => {
    const { check, describeText } = await loadText(`
      import * as z from 'zod';
      const text = z.string().min(2);
      export const check = (value) => text.safeParse(value).success;
      export const describeText = () => z.toJSONSchema(text);`);

    expect([check('a'), check('ab')]).toEqual([false, true]);
    expect(() => describeText()).toThrow(
      "zod/v4/core/json-schema-processors.js is left out of the functions' bundles",
    );
  });

  it('finds the same address of a service in each region of AWS', async () => {
    const source = `
      import { partition } from './node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partition.js';
      export const find = (region) => partition(region);`;
    const { find } = await loadText(source);
    const { partition: findWhole } = await import(partitionModule);
    const { partitionsInfo } = await import(partitionsModule);
    const regions = (partitionsInfo.partitions as { regions: object }[]).flatMap((one) =>
      Object.keys(one.regions),
    );

    expect(regions.length).toBeGreaterThan(30);
    for (const region of [...regions, 'eu-new-7', 'cn-new-9', 'nowhere']) {
      const { description: _, ...expected } = findWhole(region);
      expect(find(region)).toEqual(expected);
    }
  });

  it('names each error of DynamoDB, and has the classes of errors of items', async () => {
    const { send } = await loadText(`
      import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
      export const send = async (endpoint) => {
        const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
        const client = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials, maxAttempts: 1 });
        return client.send(new GetItemCommand({ TableName: 't', Key: { k: { S: 'k' } } }));
      };`);
    const answers = ['TransactionCanceledException', 'BackupNotFoundException', 'Unheard'];
    const reasons = { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] };
    const server = createServer((_, response) => {
      const __type = `com.amazonaws.dynamodb.v20120810#${answers[0]}`;
      response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify({ __type, message: 'no', ...reasons }));
    });
    const { port } = await listenAnywhere(server);
    const errors: unknown[] = [];
    while (answers.length > 0) {
      errors.push(await send(`http://127.0.0.1:${port}`).catch((error: unknown) => error));
      answers.shift();
    }
    server.close();

    expect(errors).toMatchObject([
      { name: 'TransactionCanceledException', message: 'no', ...reasons },
      { name: 'BackupNotFoundException', message: 'no' },
      { name: 'Unheard', message: 'no' },
    ]);
  });

  it("reads Secrets Manager's times", async () => {
    const { parse, format } = await loadText(`
      import { parseEpochTimestamp, parseRfc7231DateTime } from '@smithy/core/serde';
      export const parse = parseEpochTimestamp;
      export const format = parseRfc7231DateTime;`);

    expect(parse(1.5)).toEqual(new Date(1500));
    expect(() => format('x')).toThrow("date-utils.js is left out of the functions' bundles");
  });

  it('splits package URLs, and remembers hosts of repositories', async () => {
    const { readPurl, find } = await loadText(`
      import hostedGitInfo from 'hosted-git-info';
      export { readPurl } from './shared/domain/packages/purl.ts';
      export const find = (text) => hostedGitInfo.fromUrl(text)?.https();`);

    expect(readPurl('pkg:npm/%40types/node@22.0.0')).toMatchObject({ name: '@types/node' });
    expect([1, 2].map(() => find('github:a/b'))).toEqual(
      Array(2).fill('git+https://github.com/a/b.git'),
    );
  });

  it('has a JSON file only once that is both imported and required', async () => {
    const { imported, required } = await loadText(`
      import imported from 'spdx-license-ids/index.json' with { type: 'json' };
      const required = require('spdx-license-ids');
      export { imported, required };`);

    expect(imported).toBe(required);
    expect(imported).toContain('MIT');
  });
});
