import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { load as readYaml } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Settings } from '../../infra/config.ts';
import { loadDemoData } from '../../infra/local/demo-data.ts';
import { matches, parsePattern } from '../../local-aws/src/template/event-pattern.ts';
import { RegistryEvent } from '../../shared/api/schemas/event.ts';
import { recordTypes } from '../../shared/domain/review/record-type.ts';
import { CommandLine } from '../support/command-line.ts';
import { until } from '../support/eventually.ts';
import { addProgram, listStatuses, pasteInto, readBlocks } from '../support/pages.ts';
import { TestRegistry } from '../support/registry.ts';
import type { Ended } from '../support/warm-commands.ts';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({
    licenses: true,
    indexing: true,
    signDecisions: true,
    seed: async (stack) => void (await loadDemoData(stack)),
  });
  commandLine = CommandLine.install();
  addPrograms();
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

/** What the pages expect on a machine: the command, a scanner, and curl, which here also prints each status. */
const addPrograms = (): void => {
  const report = resolve('test/scanners/formats/reports/trivy-image.json');
  const command = `exec '${process.execPath}' '${commandLine.bundle}'`;
  const programs = {
    registry: `${command} "$@"`,
    npx: `shift 3; ${command} "$@"`,
    // A report is about the last argument.
    trivy: `for image; do :; done; sed "s|alpine:3.10.2|$image|" '${report}'`,
    aws: `printf '%s\\n' "$@" >> "$HOME/aws-arguments"; echo arn:aws:events:eu-west-1:123456789012:rule/x`,
    // Only this script of the project: npm run -s tokens -- …
    npm: `[ "$3" = tokens ] || PATH="\${PATH#*:}" exec npm "$@"
      shift 4; exec '${process.execPath}' '${resolve('infra/tokens/main.ts')}' "$@"`,
  };
  for (const [name, script] of Object.entries(programs)) addProgram(commandLine, name, script);
  writeFileSync(
    join(commandLine.folder, '.curlrc'),
    'silent\nwrite-out = "\\nHTTP %{http_code}\\n"\n',
  );
};

const paste = (
  blocks: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  pasteInto(commandLine, blocks.join('\n').replaceAll('http://127.0.0.1:3000', registry.url), {
    ...{ REGISTRY_URL: registry.url, TOKEN: '', EventBusName: 'bus' },
    ...variables,
  });

/** The commands of a job. */
const GithubJob = z.object({
  jobs: z.object({
    packages: z.object({ steps: z.array(z.object({ run: z.string().optional() })) }),
  }),
});
const GitlabJob = z.object({ packages: z.object({ script: z.array(z.string()) }) });
const AzureJob = z.object({ steps: z.array(z.object({ script: z.string().optional() })) });

// docs/cli.md is the README of the package: another test pastes it with the package installed.
// In this order, on one registry with the demo data: no block may change the data of another.
describe('the blocks of the pages, pasted one after the other', () => {
  it('README.md: the tour', async () => {
    const { code, stdout, stderr } = await paste(readBlocks('README.md', 'A tour'));

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^(?:warning: npm:is-odd@3\.0\.1 has no scan.*\n)?npm:is-odd@3\.0\.1 is allowed\.\n$/,
      ),
    });
    const reads = ['200', '200', '200', '200'];
    expect(listStatuses(stdout)).toEqual([...reads, '201', '200', '200', '409', '200', '200']);
    expect(stdout).toContain('"code":"approval_blocked"');
    expect(stdout).toMatch(/^Name +is-odd$/m);
  });

  it('docs/adopt.md: the afternoon and the second week', async () => {
    const lock = JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { 'adopted-a': '1.0.0' } },
        'node_modules/adopted-a': { version: '1.0.0', license: 'MIT' },
        'node_modules/adopted-b': { version: '2.0.0', license: 'MIT' },
      },
    });
    const before = `mkdir adopted && cd adopted && echo '${lock}' > package-lock.json`;

    const [submitting = '', ...others] = readBlocks('docs/adopt.md');
    const first = await paste([before, submitting]);
    // The index of a batch follows within seconds.
    await until(async () => {
      const { body } = await registry.get('/api/v1/reviews?batch=shop-first');
      return body.reviews.length === 2;
    });
    const second = await paste(['cd adopted', ...others]);
    const stderr = first.stderr + second.stderr;
    const { stdout } = second;

    expect([first, second]).toEqual([
      expect.objectContaining({ code: 0 }),
      expect.objectContaining({ code: 0 }),
    ]);
    expect(stderr).toContain('2 submitted for review (npm:adopted-a@1.0.0, npm:adopted-b@2.0.0).');
    expect(stderr).toContain('/console#/queue?batch=shop-first');
    expect(stdout).toMatch(/^npm:adopted-a@1\.0\.0 +pending/m);
    expect(stderr).toContain('2 approved.');
    expect(readFileSync(join(commandLine.folder, 'adopted/.npmrc'), 'utf8')).toContain(
      `registry=${registry.url}/npm/`,
    );
    expect(stderr).toContain('All 2 packages in 1 file are allowed.');
  });

  it('docs/check.md, docs/check-api.md, and the jobs of docs/check-in-ci.md', async () => {
    const packages = {
      '': { dependencies: { lodash: '*', mkdirp: '*' } },
      'node_modules/lodash': { version: '4.17.21' },
      'node_modules/minimist': { version: '1.2.5' },
      'node_modules/mkdirp': { version: '0.5.5', dependencies: { minimist: '*' } },
    };
    const write = (file: string, text: string): void =>
      writeFileSync(join(commandLine.folder, file), text);
    write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
    write('Dockerfile', 'FROM acme/never:1.0\n');
    const page = readFileSync('docs/check-in-ci.md', 'utf8');
    const [github = '', gitlab = '', azure = ''] = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(
      ([, yaml = '']) => yaml,
    );
    const { steps } = GithubJob.parse(readYaml(github)).jobs.packages;
    const { script } = GitlabJob.parse(readYaml(gitlab)).packages;
    const azureJob = AzureJob.parse(readYaml(azure));
    const jenkins = [...page.matchAll(/^ *sh '(.*)'$/gm)].map(([, line = '']) => line);
    const checksum = '$(curl -fsS "$REGISTRY_URL/registry.mjs" | sha256sum | cut -d " " -f 1)';
    const variables = [
      ...['RUNNER_TEMP=.', 'GITHUB_STEP_SUMMARY=summary.md'],
      ...['AGENT_TEMPDIRECTORY=.', `REGISTRY_SHA256=${checksum}`],
    ].join(' ');
    const failing = (lines: readonly string[]): string => `! (set -e; ${lines.join('; ')})`;

    // Rejected versions fail each of them except the one with a baseline.
    const [first = '', ...others] = readBlocks('docs/check.md');
    const [mirror = '', pending = '', known = '', submitting = ''] = others;
    const [configured = '', ...checks] = first.trim().split('\n');
    const { code, stdout } = await paste([
      configured,
      ...[...checks, mirror.trim(), pending.trim()].map((line) => failing([line])),
      ...[known, failing([submitting.trim()]), ...readBlocks('docs/check-api.md')],
      `export ${variables}`,
      ...[steps.flatMap(({ run }) => run ?? []), script].map(failing),
      'mv packages.xml gitlab.xml',
      failing(azureJob.steps.flatMap((step) => step.script ?? [])),
      'mv packages.xml azure.xml',
      failing(jenkins),
    ]);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^rejected +npm:minimist@1\.2\.5 +Rejected: Prototype/m);
    expect(listStatuses(stdout)).toEqual(Array(5).fill('200'));
    const read = (file: string): string => readFileSync(join(commandLine.folder, file), 'utf8');
    expect(read('summary.md')).toContain('| rejected | minimist |');
    for (const file of ['gitlab.xml', 'azure.xml', 'packages.xml']) {
      expect(read(file)).toContain('<failure type="rejected"');
    }
  });

  it('docs/commands.md', async () => {
    // The demo data is listed by vulnerability after its start.
    const listed = '/api/v1/vulnerabilities/CVE-2021-44228';
    await until(async () => (await registry.get(listed)).status === 200);

    const { code, stdout, stderr } = await paste(readBlocks('docs/commands.md'));

    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('error:') });
    expect(stdout).toMatch(/^npm:minimist@1\.2\.5 +failed: 1 critical$/m);
  });

  it('docs/signed-decisions.md', async () => {
    // The decisions of the demo data are signed after its start.
    const signed = '/api/v1/packages/lodash/attestation?version=4.17.21';
    await until(async () => (await registry.get(signed)).status === 200);

    const { code, stdout, stderr } = await paste(readBlocks('docs/signed-decisions.md'));

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const shown = /```text\n(The signature is valid.*?)```/s.exec(
      readFileSync('docs/signed-decisions.md', 'utf8'),
    );
    const listLabels = (text = '') => text.match(/^[A-Z][a-z ]+(?= {2})/gm);
    expect(listLabels(stdout)).toEqual(listLabels(shown?.[1]));
  });

  it('docs/incidents.md', async () => {
    const { code, stdout, stderr } = await paste(readBlocks('docs/incidents.md'));

    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('error:') });
    expect(stdout.match(/^The registry is (?:not )?frozen\.$/gm)).toEqual([
      ...Array(2).fill('The registry is frozen.'),
      'The registry is not frozen.',
    ]);
  });

  it('docs/projects.md', async () => {
    const lock = JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { minimist: '1.2.8' } },
        'node_modules/minimist': { version: '1.2.8' },
      },
    });
    const before = `mkdir recorded && cd recorded && echo '${lock}' > package-lock.json`;

    const { code, stdout, stderr } = await paste([before, ...readBlocks('docs/projects.md')]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('error:') });
    expect(stderr).toContain('Recorded 1 version as acme/shop (main), snapshot 1');
    expect(stdout).toMatch(/^npm:minimist@1\.2\.8 +approved +direct +package-lock\.json$/m);
    expect(stdout).toMatch(/^acme\/shop +payments@example\.com +1 /m);
  });

  it.each(['docs/evidence.md', 'docs/changes.md', 'docs/console.md'])('%s', async (page) => {
    const { code, stdout } = await paste(readBlocks(page));

    expect(code).toBe(0);
    expect(listStatuses(stdout)).toEqual(['200']);
  });

  it('docs/licenses.md', async () => {
    const { code, stdout } = await paste(readBlocks('docs/licenses.md'));

    expect(code).toBe(0);
    expect(listStatuses(stdout)).toEqual(['200', '200']);
  });

  it('docs/audit-trail.md: the history is what the page shows', async () => {
    const { code, stdout, stderr } = await paste(readBlocks('docs/audit-trail.md'));

    const [, shown = 'no block'] =
      /```text\n(.*?)```/s.exec(readFileSync('docs/audit-trail.md', 'utf8')) ?? [];
    const dropTimes = (text: string): string => text.replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'TIME');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(dropTimes(stdout)).toContain(dropTimes(shown));
    expect(stdout.slice(stdout.indexOf('Overridden'))).toContain('CVE-2021-44906');
  });

  it('docs/policy.md', async () => {
    const { code, stdout, stderr } = await paste(readBlocks('docs/policy.md'));

    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^\d+ pending: /) });
    expect(stdout).toMatch(/^of-age +\d/m);
    expect(stdout).toMatch(/^of-age +license +\d/m);
    expect(stderr).toMatch(/^\d+ decided by people: /m);
  });

  it('docs/policy-rules.md', async () => {
    const { code, stdout, stderr } = await paste(readBlocks('docs/policy-rules.md'));

    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^\d+ pending: /) });
    expect(listStatuses(stdout)).toEqual(['200']);
    expect(stdout).toMatch(/^types +\d/m);
  });

  it('docs/refused-install.md', async () => {
    const { code, stdout, stderr } = await paste(readBlocks('docs/refused-install.md'));

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^npm:minimist@1\.2\.5 is rejected: /m);
    expect(stdout).toMatch(/^npm:is-number-like@1\.0\.8 waits for review\.$/m);
  });

  it('docs/scans.md, and docs/accept-risk.md', async () => {
    const pages = ['docs/scans.md', 'docs/accept-risk.md'];
    const { code, stdout, stderr } = await paste(pages.flatMap((page) => readBlocks(page)));

    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('error:') });
    expect(listStatuses(stdout)).toEqual(['201', '200', '201', '200']);
    expect(stdout).toMatch(/^to be accepted +CVE-2019-10744 +npm:lodash/m);
    expect(stdout).toMatch(/^accepted +CVE-2019-10744 +npm:lodash/m);
  });

  it('docs/events.md: asking, and a rule on the bus that matches the event of the page', async () => {
    const page = readFileSync('docs/events.md', 'utf8');
    const blocks = readBlocks('docs/events.md').filter((block) => !block.includes('cdk deploy'));

    const { code, stdout } = await paste(blocks);

    const [, json = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
    const event = RegistryEvent.parse(JSON.parse(json));
    const given = readFileSync(join(commandLine.folder, 'aws-arguments'), 'utf8').split('\n');
    const pattern = given[given.indexOf('--event-pattern') + 1] ?? '';
    const onBus = { source: 'package-registry', 'detail-type': event.type, detail: event };
    expect(code).toBe(0);
    expect(listStatuses(stdout)).toEqual(['200', '200']);
    expect(matches(parsePattern(pattern), onBus)).toBe(true);
    expect(given).toContain('bus');
  });
});

describe('docs/tokens.md and docs/leaked-token.md, pasted in order', () => {
  const generated = 'G'.repeat(43);
  let guarded: TestRegistry;
  beforeAll(async () => {
    guarded = await TestRegistry.start({ tokens: generated });
  });
  afterAll(() => guarded.close());

  it('changes the list as described, and restores it', async () => {
    const { stack } = guarded;
    const { accessKeyId, secretAccessKey, sessionToken } = stack.credentials;
    const [secret] = Object.values(stack.model.secrets);

    const { code, stdout, stderr } = await paste(readBlocks('docs/tokens.md'), {
      AWS_ENDPOINT_URL_CLOUDFORMATION: stack.endpoints.aws,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: stack.endpoints.aws,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
    });

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^1 in the list\.\nA token for ci\..*\nA new token for ci\..*\nRevoked .*\nWithin 60 seconds.*\nThe list is as it was/,
      ),
    });
    expect(stdout.trimEnd().split('\n').slice(-2).join()).toMatch(/^[\w-]{43},[\w-]{43}$/);
    expect(await stack.secrets.get(secret?.id ?? '')).toBe(generated);
  });

  it('undoes what a leaked token did', async () => {
    const { code, stderr } = await paste(readBlocks('docs/leaked-token.md'), {
      ...{ REGISTRY_URL: guarded.url, REGISTRY_TOKEN: generated },
    });

    const nothing = [
      'No scan was found.',
      '0 to be rejected. Nothing was sent.',
      'No scan was found.',
    ];
    expect({ code, lines: stderr.trim().split('\n') }).toEqual({ code: 0, lines: nothing });
  });
});

describe('docs/events.md', () => {
  const page = readFileSync('docs/events.md', 'utf8');
  /** The names in the first column of the table below a head. */
  const readNames = (head: string): string[] => {
    const [, table = ''] = page.split(`| ${head} |`);
    const rows = table.split('\n\n')[0]?.split('\n').slice(2) ?? [];
    return rows
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
      .map(([, name = '']) => name);
  };

  it('has every type and every field of an event, and no other', () => {
    expect(readNames('Type')).toEqual([...recordTypes]);
    expect(readNames('Field')).toEqual(Object.keys(RegistryEvent.shape));
  });

  it('names existing settings', () => {
    const named = [...page.matchAll(/-c "?(\w+)=/g)].map(([, name]) => name);

    expect(named).toEqual(['webhookUrl', 'webhookSecretArn']);
    expect(Object.keys(Settings.in.shape)).toEqual(expect.arrayContaining(named));
  });
});
