import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { OpenVexDocument } from '../../../../cli/commands/export-vex/openvex.ts';
import { CommandLine } from '../../../support/command-line.ts';
import { until } from '../../../support/eventually.ts';
import { TestRegistry } from '../../../support/registry.ts';
import { json, startScripted } from '../../../support/scripted-server.ts';

let source: TestRegistry;
let target: TestRegistry;
let commandLine: CommandLine;

const packages = [
  { ecosystem: 'npm', name: '@acme/pad', version: '1.0.0' },
  { ecosystem: 'npm', name: '@acme/pad', version: '2.0.0' },
  { ecosystem: 'pypi', name: 'Zope.Interface', version: '6.0' },
  { ecosystem: 'maven', name: 'org.slf4j:slf4j-api', version: '2.0.9' },
  { ecosystem: 'docker', name: 'ghcr.io/acme/shop', version: '2.4.0' },
] as const;

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const [soon, late] = [inDays(30), inDays(300)];
const notCalled = 'vulnerable_code_not_in_execute_path: merge is never called';

const acceptances = [
  { id: 'CVE-2024-1', ...packages[0], reason: 'Only used in tests', expires_at: soon },
  { id: 'CVE-2024-2', ecosystem: 'npm', name: '@acme/pad', reason: notCalled, expires_at: soon },
  // Harmless in all versions, and a risk that exists in one.
  { id: 'CVE-2024-2', ...packages[1], reason: 'Behind a "proxy":\nsecond line', expires_at: late },
  { id: 'GHSA-aaaa-bbbb-cccc', ...packages[2], reason: 'Not reachable', expires_at: soon },
  {
    id: 'CVE-2024-4',
    ...packages[3],
    reason: 'inline_mitigations_already_exist',
    expires_at: late,
  },
  { id: 'CVE-2024-5', ...packages[4], reason: 'Runs without network', expires_at: soon },
];
const everywhere = { id: 'CVE-2024-6', reason: 'Denial of service alone', expires_at: soon };
const unknown = { id: 'CVE-2024-7', ecosystem: 'npm', reason: 'Nothing has it', expires_at: soon };
const withdrawn = { id: 'CVE-2024-8', ...packages[0], reason: 'A mistake', expires_at: soon };

const accept = (registry: TestRegistry, { id, ...body }: { readonly id: string }) =>
  registry.post(`/api/v1/vulnerabilities/${id}/acceptances`, body);

const start = async (): Promise<TestRegistry> => {
  const registry = await TestRegistry.start({ events: true, indexing: true });
  for (const one of packages) await registry.submit(one);
  return registry;
};

beforeAll(async () => {
  [source, target] = await Promise.all([start(), start()]);
  commandLine = CommandLine.install();
  const found = { id: 'CVE-2024-6', severity: 'low' };
  for (const { name, version } of [packages[0], packages[4]]) {
    const path = `/api/v1/security/scans/${encodeURIComponent(name)}?version=${version}`;
    await source.post(path, { tool: 'a-scanner', vulnerabilities: [found] });
  }
  for (const one of [...acceptances, everywhere, unknown, withdrawn]) await accept(source, one);
  await source.send('DELETE', '/api/v1/vulnerabilities/CVE-2024-8/acceptances/1', {
    body: { reason: 'No' },
  });
  await until(async () => {
    const { body, status } = await source.get('/api/v1/vulnerabilities/CVE-2024-6');
    return status === 200 && body.total === 2;
  });
  // The submissions, the scans, the acceptances and their end.
  await until(async () => {
    const { body } = await source.get('/api/v1/events');
    return body.events.at(-1)?.type === 'acceptance.ended';
  });
});
afterAll(async () => {
  commandLine.remove();
  await Promise.all([source.close(), target.close()]);
});

const run = (registry: TestRegistry, ...args: string[]) =>
  commandLine.run(args, { env: { REGISTRY_URL: registry.url } });

const exportVex = (registry: TestRegistry, ...args: string[]) =>
  run(registry, 'export', 'vex', ...args);

const Component = z.strictObject({
  '@id': z.url(),
  identifiers: z.strictObject({ purl: z.string() }),
});
const Text = z.string().min(1);

/** OpenVEX 0.2.0: the fields that a document and a complete statement have by the specification, and no others. */
const Document = z.strictObject({
  '@context': z.literal('https://openvex.dev/ns/v0.2.0'),
  '@id': z.url(),
  author: Text,
  timestamp: z.iso.datetime(),
  version: z.int().min(1),
  tooling: Text,
  statements: z
    .array(
      z
        .strictObject({
          vulnerability: z.strictObject({ name: Text, aliases: z.array(Text).optional() }),
          timestamp: z.iso.datetime(),
          products: z.array(Component).min(1),
          status: z.enum(['not_affected', 'affected']),
          status_notes: Text.optional(),
          justification: z
            .enum([
              'component_not_present',
              'vulnerable_code_not_present',
              'vulnerable_code_not_in_execute_path',
              'vulnerable_code_cannot_be_controlled_by_adversary',
              'inline_mitigations_already_exist',
            ])
            .optional(),
          impact_statement: Text.optional(),
          action_statement: Text.optional(),
          action_statement_timestamp: z.iso.datetime().optional(),
        })
        .refine((one) =>
          one.status === 'affected'
            ? one.action_statement !== undefined && one.justification === undefined
            : one.justification !== undefined || one.impact_statement !== undefined,
        ),
    )
    .min(1),
});

const summarize = ({ statements }: OpenVexDocument): string[] =>
  statements.map(
    ({ vulnerability, status, products }) =>
      `${vulnerability.name} ${status} ${products.map((one) => one['@id']).join(' ')}`,
  );

const writeDocument = async (): Promise<string> => {
  const file = join(commandLine.folder, 'vex.json');
  await exportVex(source, '--author', 'Acme', '--file', file);
  return file;
};

describe('export vex', () => {
  it('writes a complete OpenVEX document, and calls a product affected unless the reason says otherwise', async () => {
    const { code, stdout, stderr } = await exportVex(source);

    const document = JSON.parse(stdout) as OpenVexDocument;
    expect(code).toBe(0);
    expect(() => Document.parse(document)).not.toThrow();
    expect(document.author).toBe(source.url);
    expect(summarize(document)).toEqual([
      'CVE-2024-1 affected pkg:npm/%40acme/pad@1.0.0',
      'CVE-2024-2 not_affected pkg:npm/%40acme/pad',
      'CVE-2024-2 affected pkg:npm/%40acme/pad@2.0.0',
      'CVE-2024-4 not_affected pkg:maven/org.slf4j/slf4j-api@2.0.9',
      'CVE-2024-5 affected pkg:docker/acme/shop@2.4.0?repository_url=ghcr.io',
      'CVE-2024-6 affected pkg:docker/acme/shop@2.4.0?repository_url=ghcr.io pkg:npm/%40acme/pad@1.0.0',
      'GHSA-aaaa-bbbb-cccc affected pkg:pypi/zope-interface@6.0',
    ]);
    expect(document.statements[0]?.action_statement).toBe(
      `Risk accepted until ${soon}: Only used in tests`,
    );
    expect(document.statements[1]?.status_notes).toBe(`Valid until ${soon}.`);
    expect(document.statements[5]?.status_notes).toContain('applies in all packages.');
    expect(stderr).toBe(
      'warning: Left out, because no known version has the vulnerability and OpenVEX needs a product: CVE-2024-7 1.\n7 statements: 2 not affected, 5 affected with an accepted risk.\n',
    );
  });

  it('selects an ecosystem', async () => {
    const { stdout } = await exportVex(source, '--ecosystem', 'docker');

    expect(summarize(JSON.parse(stdout))).toEqual([
      'CVE-2024-5 affected pkg:docker/acme/shop@2.4.0?repository_url=ghcr.io',
      'CVE-2024-6 affected pkg:docker/acme/shop@2.4.0?repository_url=ghcr.io',
    ]);
  });

  it('gives equal statements an equal identifier', async () => {
    const [one, other, different] = await Promise.all([
      exportVex(source),
      exportVex(source),
      exportVex(source, '--ecosystem', 'npm'),
    ]);

    const [first, second, third] = [one, other, different].map(
      ({ stdout }) => JSON.parse(stdout)['@id'],
    );
    expect(first).toBe(second);
    expect(first).not.toBe(third);
  });

  it('refuses to write a document without statements, or in rows', async () => {
    const [empty, rows] = await Promise.all([
      exportVex(source, '--ecosystem', 'pypi', '--jsonl'),
      startScripted(json(200, { events: [], next: 0 })).then(async (server) => {
        const ended = await commandLine.run(['export', 'vex'], {
          env: { REGISTRY_URL: server.url },
        });
        await server.close();
        return ended;
      }),
    ]);

    expect(empty).toMatchObject({ code: 2, stdout: '' });
    expect(rows).toMatchObject({ code: 1, stdout: '' });
    expect(rows.stderr).toContain('There is no active risk acceptance to export.');
  });
});

const listAccepted = async (registry: TestRegistry, id: string) => {
  const { body } = await registry.get(`/api/v1/vulnerabilities/${id}`);
  const list = body.acceptances as Record<string, string | null>[];
  return list.map(({ ecosystem, name, version, reason, expires_at }) => ({
    ...{ ecosystem, name, version, reason, expires_at },
  }));
};

describe('a document that another registry reads', () => {
  it('accepts what is not affected, and leaves accepted risks out with a hint', async () => {
    const file = await writeDocument();

    const { code, stdout } = await run(
      target,
      ...['vulnerability', 'accept', '--vex', file, '--expires', '90d', '--dry-run', '--json'],
    );

    const outcomes: Record<string, string>[] = JSON.parse(stdout).statements;
    expect(code).toBe(0);
    expect(outcomes.map((one) => `${one['vulnerability']} ${one['outcome']}`)).toEqual([
      'CVE-2024-4 to be accepted',
      'CVE-2024-1 left out',
      // The document calls one version of it affected.
      'CVE-2024-2 left out',
      'CVE-2024-2 left out',
      'CVE-2024-5 left out',
      'CVE-2024-6 left out',
      'CVE-2024-6 left out',
      'GHSA-aaaa-bbbb-cccc left out',
    ]);
    expect(outcomes[1]?.['why']).toBe(
      'has the status affected, and its author accepts the risk; --accepted-risks accepts it, too',
    );
  });

  it('has the same acceptances afterwards, at most as long', async () => {
    const file = await writeDocument();
    const flags = ['--expires', '365d', '--accepted-risks', '--json'];

    const { code } = await run(target, 'vulnerability', 'accept', '--vex', file, ...flags);

    expect(code).toBe(0);
    expect(await listAccepted(target, 'CVE-2024-1')).toEqual([
      {
        ...packages[0],
        reason: 'Only used in tests (risk accepted by Acme)',
        expires_at: soon,
      },
    ]);
    expect(await listAccepted(target, 'CVE-2024-2')).toMatchObject([
      {
        ...packages[1],
        reason: 'Behind a "proxy":\nsecond line (risk accepted by Acme)',
        expires_at: late,
      },
      // The document ends before the 365 days of the command.
      {
        ...{ name: '@acme/pad', version: null, expires_at: soon },
        reason: `${notCalled} (VEX by Acme)`,
      },
    ]);
    for (const { id, ecosystem, name } of acceptances.slice(3)) {
      expect(await listAccepted(target, id)).toMatchObject([{ ecosystem, name }]);
    }
    expect(await listAccepted(target, 'CVE-2024-6')).toHaveLength(2);
  });

  it('exports equal statements again', async () => {
    const first = JSON.parse(readFileSync(await writeDocument(), 'utf8'));
    const isComplete = async () => {
      const { body } = await target.get('/api/v1/events');
      const types: string[] = body.events.map(({ type }: { type: string }) => type);
      return types.filter((type) => type === 'vulnerability.accepted').length === 8;
    };
    await until(isComplete);

    const { stdout } = await exportVex(target);

    // A document lists the versions of an acceptance that applies everywhere, which then are acceptances of their own.
    const single = summarize(first).filter((line) => !line.startsWith('CVE-2024-6'));
    const again = summarize(JSON.parse(stdout)).filter((line) => !line.startsWith('CVE-2024-6'));
    expect(again).toEqual(single);
  });
});
