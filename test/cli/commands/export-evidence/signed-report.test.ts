import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DomUtils, parseDocument } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../../../support/command-line.ts';
import { eventually } from '../../../support/eventually.ts';
import { packagePath, TestRegistry } from '../../../support/registry.ts';

const token = 'reviewer-token-of-more-than-thirty-two-characters';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({
    ...{ signDecisions: true, events: true },
    tokens: `security:${token}`,
  });
  commandLine = CommandLine.install();
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const decide = async (name: string, action: 'approve' | 'reject'): Promise<void> => {
  await registry.post(packagePath(name, `/${action}`), { reason: 'As agreed' }, { token });
  const to = action === 'approve' ? 'approved' : 'rejected';
  await eventually(async () => {
    const { body } = await registry.get(packagePath(name, '/attestation'));
    const { predicate } = JSON.parse(Buffer.from(body.payload, 'base64').toString());
    expect(predicate.decision).toBe(to);
  });
};

const submit = (name: string) =>
  registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license: 'MIT' }, { token });

const record = (name: string, project: string, ref: string) =>
  registry.post(
    `/api/v1/projects/${encodeURIComponent(project)}/snapshots`,
    { ref, owner: 'team@example.com', versions: [{ ecosystem: 'npm', name, version: '1.0.0' }] },
    { token },
  );

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  commandLine.run([...args], { env: { REGISTRY_URL: registry.url, ...env } });

/** Exports a report, and returns the text of a section. */
const exportReport = async (name: string, env: Readonly<Record<string, string>> = {}) => {
  const ended = await run(['export', 'evidence', name, '--file', `${name}.html`], env);
  expect(ended).toMatchObject({ code: 0, stdout: '' });
  // A slow machine also gets the progress.
  expect(ended.stderr).not.toMatch(/warning|error/);
  const page = parseDocument(readFileSync(join(commandLine.folder, `${name}.html`), 'utf8'));
  return (id: string): string => {
    const element = DomUtils.getElementById(id, page, true);
    return element ? DomUtils.textContent(element) : '';
  };
};

const verifyText = async (text: string) => {
  writeFileSync(join(commandLine.folder, 'statement.json'), text);
  return run(['verify', 'statement.json', '--keys', 'keys.json'], {
    REGISTRY_URL: 'http://127.0.0.1:9',
  });
};

describe('the signed statement in a report', () => {
  it.each(['approve', 'reject'] as const)(
    'is that of the decision in force, after %s, and verifies without the registry',
    async (action) => {
      const name = `signed-${action}`;
      await submit(name);
      await decide(name, action);
      writeFileSync(join(commandLine.folder, 'keys.json'), (await run(['keys', '--json'])).stdout);

      const read = await exportReport(name);
      const envelope = read('envelope');
      const verified = await verifyText(envelope);
      const forged = await verifyText(envelope.replace(/"payload":"e/, '"payload":"f'));

      const { keyid } = JSON.parse(envelope).signatures[0];
      const section = read('attestation');
      expect(section).toContain(keyid);
      expect(section).toContain(action === 'approve' ? 'approved' : 'rejected');
      expect(section).toContain('registry verify statement.json --keys keys.json');
      expect(verified).toMatchObject({ code: 0 });
      expect(verified.stdout).toContain('The signature is valid.');
      expect(forged).toMatchObject({ code: 1 });
    },
  );

  it('is missing for a pending version, which the report says', async () => {
    await submit('pending');

    const read = await exportReport('pending');

    expect(read('attestation')).toContain('No decision is in force on the version');
    expect(read('envelope')).toBe('');
  });
});

describe('the projects in a report', () => {
  beforeAll(async () => {
    await submit('used');
    for (const ref of ['main', 'v2']) await record('used', 'project-00', ref);
    for (let at = 1; at < 27; at += 1) {
      await record('used', `project-${String(at).padStart(2, '0')}`, 'main');
    }
  });

  it('are the first 25 with their owners and refs, for a caller with a token', async () => {
    const read = await exportReport('used', { REGISTRY_TOKEN: token });

    const section = read('used-by');
    expect(section).toContain('27 projects use the version. The table has the first 25 by name.');
    expect(section).toContain('project-00team@example.commain, v2');
    expect(section).toContain('project-24');
    expect(section).not.toContain('project-25');
  });

  it('are left out without a token, in one sentence', async () => {
    const read = await exportReport('used');

    expect(read('used-by')).toContain('only to callers with a token, and the export had none.');
    expect(JSON.parse(read('evidence-report')).used_by).toEqual({
      list: null,
      missing: 'token_required',
    });
  });

  it('are a gap if the registry refuses the token', async () => {
    const { code, stderr, stdout } = await run(['export', 'evidence', 'used'], {
      REGISTRY_TOKEN: `${token}-of-another-registry`,
    });

    expect(code).not.toBe(0);
    expect(stderr).toContain('The report lacks a part (projects)');
    expect(stdout).toContain('The registry did not return the projects.');
  });
});
