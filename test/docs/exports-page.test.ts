import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { until } from '../support/eventually.ts';
import { addProgram, pasteInto, readBlocks } from '../support/pages.ts';
import { TestRegistry } from '../support/registry.ts';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({ licenses: true, events: true, indexing: true });
  commandLine = CommandLine.install();
  const program = `exec '${process.execPath}' '${commandLine.bundle}' "$@"`;
  addProgram(commandLine, 'registry', program);
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const paste = (block: string) =>
  pasteInto(commandLine, block.replaceAll('http://127.0.0.1:3000', registry.url), {
    REGISTRY_URL: registry.url,
  });

const readFile = (name: string): string =>
  readFileSync(resolve(join(commandLine.folder, name)), 'utf8');

it('docs/exports.md: each block writes what the page says', async () => {
  const [evidence = '', decisions = '', vex = '', sbom = ''] = readBlocks('docs/exports.md');

  const report = await paste(evidence);
  await until(async () => {
    const { body } = await registry.get('/api/v1/events');
    return body.events.some(({ type }: { type: string }) => type === 'vulnerability.accepted');
  });
  const files = await paste(decisions);
  const read = await paste(vex);
  const listed = await paste(sbom);

  expect([report.code, files.code, read.code, listed.code]).toEqual([0, 0, 0, 0]);
  expect(readFile('billing.html')).toContain(
    '<title>Evidence of docker:acme/billing@1.4.0</title>',
  );
  const types = readFile('decisions.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type);
  expect(types).toEqual(['package.approved', 'vulnerability.accepted']);
  expect(readFile('decisions.csv').split('\r\n')).toHaveLength(4);
  expect(JSON.parse(readFile('vex.json')).statements).toMatchObject([
    { status: 'affected', products: [{ '@id': 'pkg:docker/acme/billing@1.4.0' }] },
  ]);
  expect(JSON.parse(readFile('billing.cdx.json')).components).toMatchObject([
    { purl: 'pkg:npm/type-fest@4.41.0' },
  ]);
  expect(read.stdout).toMatch(/^to be accepted +CVE-2021-44906/m);
});
