import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandGroups, routeCommands } from '../../cli/commands/commands.ts';
import type { RouteName } from '../../cli/framework/route-types.ts';
import { routesByName } from '../../shared/api/all-routes.ts';
import { CommandLine, type RunOptions } from '../support/command-line.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { json, problem, startScripted } from '../support/scripted-server.ts';

const token = 'a-token-of-more-than-thirty-two-characters';

const commands = commandGroups.flatMap((group) => group.commands);

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({ licenses: true, tokens: `reviewer:${token}` });
  commandLine = CommandLine.install();
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (args: readonly string[], options: RunOptions = {}) =>
  commandLine.run(args, {
    ...options,
    env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: token, ...options.env },
  });

/** Runs a command that must succeed, with JSON output. Approvals without a scan warn. */
const result = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await run([...args, '--json']);
  expect(stderr).toMatch(/^(?:warning: .* has no scan: .*\n)?$/);
  expect(code).toBe(0);
  return JSON.parse(stdout);
};

let count = 0;
/** A fresh npm package with these versions, all pending. */
const submitted = async (...versions: readonly string[]): Promise<string> => {
  count += 1;
  const name = `@acme/subject-${count}`;
  for (const version of versions) {
    await registry.submit({ ecosystem: 'npm', name, version, license: 'MIT' }, { token });
  }
  return name;
};

describe('the help', () => {
  it('shows every command of a route under a heading', async () => {
    const { stdout } = await run(['--help']);

    const headings = commandGroups.map(({ heading }) => heading);
    expect(stdout.match(/^\S.*(?=:$)/gm)).toEqual(['Options', ...headings]);
    expect(commands).toEqual(expect.arrayContaining(Object.values(routeCommands)));
    expect(new Set(commands).size).toBe(commands.length);
  });

  it('describes every command by what it does', () => {
    const verbs = new Set(commands.map(({ summary }) => summary.split(' ', 1)[0]));

    expect([...verbs].toSorted()).toEqual([
      ...[
        'Accept',
        'Add',
        'Apply',
        'Approve',
        'Check',
        'Claim',
        'Comment',
        'Create',
        'Decide',
        'Dismiss',
        'Export',
        'Freeze',
        'Lift',
        'List',
        'Preview',
        'Print',
      ],
      ...[
        'Recall',
        'Reject',
        'Remove',
        'Replace',
        'Request',
        'Review',
        'Serve',
        'Show',
        'Submit',
        'Upload',
        'Verify',
        'Withdraw',
      ],
    ]);
  });
});

describe('the routes', () => {
  it.each(Object.keys(routeCommands) as RouteName[])('has a command for %s', async (routeName) => {
    const { name } = routeCommands[routeName];

    const { code, stdout } = await run([...name.split(' '), '--help']);

    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: registry ${name}`);
    expect(stdout.replace(/\s+/g, ' ')).toContain(routesByName[routeName].summary);
  });
});

describe.each(commands.map((command) => [command.name, command] as const))(
  '%s',
  (name, command) => {
    it('has examples of itself', () => {
      expect(command.examples.length).toBeGreaterThan(0);
      expect(command.examples.filter((example) => !example.startsWith(name))).toEqual([]);
    });

    it('describes each flag', () => {
      expect(command.options.filter(({ description }) => description === '')).toEqual([]);
    });

    it('has its code in the file or folder of its name', () => {
      const file = name.replaceAll(' ', '-');

      expect(
        [`cli/commands/${file}.ts`, `cli/commands/${file}/${file}.ts`].filter(existsSync),
      ).toHaveLength(1);
    });

    it('does not redefine the common flags', () => {
      const common = [
        ...['--url', '--token', '--json', '--jsonl', '--quiet', '--debug', '--timeout', '--help'],
        ...['-q', '-h', '-V'],
      ];
      const typed = command.options.flatMap(({ long, short }) => [long, short]);

      expect(typed.filter((flag) => flag && common.includes(flag))).toEqual([]);
    });
  },
);

describe('status', () => {
  it('shows the registry and the source of the token, but not the token', async () => {
    const { code, stdout } = await run(['status']);

    expect(code).toBe(0);
    expect(stdout).toContain(`URL             ${registry.url}\n`);
    expect(stdout).toContain('Authentication  enabled\n');
    expect(stdout).toContain('Token           from REGISTRY_TOKEN\n');
  });

  it('shows the same as JSON', async () => {
    expect(await result('status')).toEqual({
      url: registry.url,
      name: 'package-registry',
      version: expect.any(String),
      authentication: 'enabled',
      freeze: null,
      links: expect.objectContaining({ docs: `${registry.url}/docs` }),
      token: 'from REGISTRY_TOKEN',
      ...{ sign_in: null, job_audience: null },
    });
  });
});

it.each([
  ['/api/v1', 'Remove /api/v1.'],
  ['/nowhere', 'Check that it is the base URL of the registry.'],
])('explains the fault of a URL that ends in %s', async (path, said) => {
  const { code, stderr } = await run(['list', '--url', `${registry.url}${path}`]);

  expect(code).toBe(1);
  expect(stderr).toBe(
    `error: No such endpoint.\nThe URL is ${registry.url}${path}, from --url. ${said}\n`,
  );
});

it('says that a reason is missing, without the field name', async () => {
  const name = await submitted('1.0.0');
  await result('reject', name, '--reason', 'Not needed');

  const { code, stderr } = await run(['approve', name]);

  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: npm:\S+@1\.0\.0 is rejected; give a reason to change it to approved\nAdd --reason\.\n$/,
  );
});

describe('list', () => {
  it('shows a table, and a note about further pages on standard error', async () => {
    const name = await submitted('1.0.0', '2.0.0', '3.0.0');

    const { code, stdout, stderr } = await run(['list', '--search', name, '--limit', '2']);

    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^PACKAGE +STATUS +LICENSE +SCAN +SUBMITTED AT +BY$/),
      expect.stringMatching(`^npm:${name}@1.0.0 +pending +MIT +\\d{4}-\\S+Z +reviewer$`),
      expect.stringMatching(`^npm:${name}@2.0.0 +pending +MIT +\\d{4}-\\S+Z +reviewer$`),
      '',
    ]);
    expect(stderr).toBe('1 to 2 of 3. --all shows all, --offset 2 the next page.\n');
  });

  it('sends its flags to the registry', async () => {
    const name = await submitted('1.0.0', '2.0.0');

    const page = await result(
      ...['list', '--search', name, '--sort', '-submitted_at', '--limit', '1', '--offset', '1'],
      ...['--ecosystem', 'npm', '--status', 'pending'],
    );

    expect(page).toMatchObject({ packages: [{ version: '1.0.0' }], total: 2, limit: 1, offset: 1 });
  });

  it('reads every page with --all, as one document', async () => {
    const name = await submitted('1.0.0', '2.0.0', '3.0.0');

    const page = await result('list', '--search', name, '--all', '--limit', '2');

    expect(page).toMatchObject({ total: 3, limit: 3, offset: 0 });
    expect(page.packages.map(({ version }: { version: string }) => version)).toEqual([
      '1.0.0',
      '2.0.0',
      '3.0.0',
    ]);
  });

  it('writes a line for each row with --jsonl', async () => {
    const name = await submitted('1.0.0', '2.0.0', '3.0.0');
    const flags = ['list', '--search', name, '--limit', '2', '--jsonl'];

    const [one, all] = await Promise.all([run(flags), run([...flags, '--all'])]);

    const versions = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).version);
    expect(versions(one.stdout)).toEqual(['1.0.0', '2.0.0']);
    expect(versions(all.stdout)).toEqual(['1.0.0', '2.0.0', '3.0.0']);
    expect(all.stderr).toBe('');
  });

  it('writes a note to standard error if no version matches', async () => {
    const { code, stdout, stderr } = await run(['list', '--search', 'no-such-thing-anywhere']);

    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'Nothing matches.\n' });
  });
});

describe('show, versions, scan show and license show', () => {
  it.each([
    ['npm', '@types/shown', '1.0.0'],
    ['maven', 'org.slf4j:slf4j-api', '2.0.0'],
    ['docker', 'ghcr.io/acme/shown', 'sha256-1'],
  ])('accept a name of %s unchanged: %s', async (ecosystem, name, version) => {
    await registry.submit({ ecosystem, name, version }, { token });

    const shown = await result('show', name, '--version', version);
    const listed = await result('versions', name);

    expect(shown).toMatchObject({ name, version, status: 'pending' });
    expect(listed.packages).toMatchObject([{ name, version }]);
  });

  it('show known fields, and omit unknown ones', async () => {
    const name = await submitted('1.0.0');

    const { stdout } = await run(['show', name]);

    expect(stdout).toContain(`Name          ${name}\n`);
    expect(stdout).toContain('License       MIT\n');
    expect(stdout).not.toContain('Approved by');
  });

  it('remove control sequences', async () => {
    const description = 'red \u001b[31m, bell \u0007, C1 \u009b2J, turned \u202e, done';
    await registry.submit(
      { ecosystem: 'npm', name: 'hostile', version: '1.0.0', description },
      { token },
    );

    const people = await run(['show', 'hostile']);
    const program = await run(['show', 'hostile', '--json']);

    expect(people.stdout).toContain('done');
    expect(people.stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect(program.stdout).not.toMatch(/[^\P{Cc}\n]/u);
    expect(JSON.parse(program.stdout).description).toBe(description);
  });

  it.each([
    ['show', ['show', 'nowhere'], 'registry list --search'],
    ['versions', ['versions', 'nowhere'], 'registry list --search'],
    ['scan show', ['scan', 'show', 'nowhere'], 'registry list --search'],
    ['license show', ['license', 'show', 'Nowhere-1.0'], 'Apache-2.0'],
  ])('exit with 1 without a match, and suggest a next step: %s', async (_, args, expected) => {
    const { code, stdout, stderr } = await run(args);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(expected);
  });
});

describe('submit', () => {
  it('takes flags', async () => {
    const detail = await result(
      ...['submit', '--ecosystem', 'npm', '--name', 'by-flags', '--version', '1.0.0'],
      ...['--license', 'mit', '--description', 'Flags', '--by', 'me@example.com'],
    );

    expect(detail).toMatchObject({ name: 'by-flags', license: 'MIT', status: 'pending' });
    expect((await registry.get(packagePath('by-flags'))).body).toEqual(detail);
  });

  it('takes a file, standard input, or a manifest; flags go before them', async () => {
    const file = join(commandLine.folder, 'submission.json');
    writeFileSync(file, JSON.stringify({ ecosystem: 'npm', name: 'by-file', version: '1.0.0' }));
    const manifest = join(commandLine.folder, 'package.json');
    writeFileSync(manifest, JSON.stringify({ name: 'by-manifest', version: '1.0.0' }));
    const stdin = JSON.stringify({ type: 'pypi', name: 'by-stdin', version: '1.0.0' });

    const runs = await Promise.all([
      run(['submit', '--file', file, '--json']),
      run(['submit', '--file', '-', '--json'], { stdin }),
      run(['submit', '--from', '.', '--version', '2.0.0', '--json'], { cwd: commandLine.folder }),
    ]);

    expect(runs.map(({ stdout }) => JSON.parse(stdout))).toMatchObject([
      { ecosystem: 'npm', name: 'by-file', version: '1.0.0' },
      { ecosystem: 'pypi', name: 'by-stdin', version: '1.0.0' },
      { ecosystem: 'npm', name: 'by-manifest', version: '2.0.0' },
    ]);
  });

  it('shows the request with --dry-run and sends nothing', async () => {
    const { code, stdout } = await run([
      ...['submit', '--ecosystem', 'npm', '--name', 'dry', '--version', '1.0.0', '--dry-run'],
    ]);

    expect(code).toBe(0);
    expect(stdout).toContain(`POST ${registry.url}/api/v1/packages\n`);
    expect(stdout).toContain('X-API-Key: (from REGISTRY_TOKEN)\n');
    expect(stdout).toContain('"name": "dry"');
    expect((await registry.get(packagePath('dry'))).status).toBe(404);
  });

  it.each([
    ['GNU Affero General Public License v3', 'AGPL-3.0-only', 'Normalized to AGPL-3.0-only.'],
    ['Acme EULA', null, 'Acme EULA is not a known license: its status is unreviewed'],
    ['MIT', 'MIT', null],
  ])(
    'shows the normalized license of %s with --dry-run, submit and approve',
    async (license, reading, note) => {
      const name = `reads-${license.length}`;
      const flags = ['--ecosystem', 'npm', '--name', name, '--version', '1.0.0'];
      const submit = ['submit', ...flags, '--license', license];
      const said = {
        license_normalized: reading,
        license_note: note === null ? null : expect.stringContaining(note),
      };

      const dry = await run([...submit, '--dry-run']);
      const foreseen = await result(...submit, '--dry-run');
      const answer = await result(...submit);
      const approved = await result('approve', name, '--override', '--reason', 'Tests only.');

      if (note !== null) expect(dry.stderr.replace(/\s+/g, ' ')).toContain(note);
      expect(foreseen).toMatchObject(said);
      expect(answer).toMatchObject({ license, ...said });
      expect(approved).toMatchObject({ license, status: 'approved', ...said });
    },
  );

  it('shows the normalized licenses of a pom.xml, and applies the policy to them', async () => {
    const license = (name: string, url: string) =>
      `<license><name>${name}</name><url>${url}</url></license>`;
    const epl = license(
      'Eclipse Public License - v 1.0',
      'http://www.eclipse.org/legal/epl-v10.html',
    );
    const lgpl = license('GNU LGPL', 'http://www.gnu.org/licenses/old-licenses/lgpl-2.1.html');
    const agpl = license('GNU AGPL', 'https://www.gnu.org/licenses/agpl-3.0.html');
    const sspl = license('Server Side Public License', 'https://www.mongodb.com/licensing');
    const submit = (artifact: string, licenses: string) => {
      const file = join(commandLine.folder, `${artifact}.pom`);
      writeFileSync(
        file,
        `<?xml version="1.0" encoding="UTF-8"?>
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>org.example</groupId><artifactId>${artifact}</artifactId><version>1.2.3</version>
          <licenses>${licenses}</licenses>
        </project>`,
      );
      return ['submit', '--from', file];
    };

    const open = await result(...submit('open', `${epl}${lgpl}`), '--dry-run');
    const closed = await result(...submit('closed', `${agpl}${sspl}`));
    const refused = await run(['approve', 'org.example:closed']);

    expect(open).toMatchObject({ license_normalized: 'EPL-1.0 OR LGPL-2.1-only' });
    expect(closed).toMatchObject({ license_normalized: 'AGPL-3.0-only OR SSPL-1.0' });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('AGPL-3.0-only OR SSPL-1.0');
  });

  it('suggests licenses for an unknown license', async () => {
    const { code, stderr } = await run(['license', 'show', 'Apach-2.0']);

    expect(code).toBe(1);
    expect(stderr).toContain('Did you mean Apache-2.0?');
  });

  it('submits once per idempotency key', async () => {
    const args = [
      ...['submit', '--ecosystem', 'npm', '--name', 'keyed', '--version', '1.0.0'],
      ...['--idempotency-key', 'build-17', '--json'],
    ];

    const first = await run(args);
    const second = await run(args);

    expect([first.code, second.code]).toEqual([0, 0]);
    expect(second.stdout).toBe(first.stdout);
  });

  it('exits with 1 if the version exists or a field is invalid', async () => {
    const args = ['submit', '--ecosystem', 'npm', '--name', 'twice', '--version'];
    await run([...args, '1.0.0']);

    const again = await run([...args, '1.0.0']);
    const wrong = await run([...args, 'latest', '--json']);

    expect(again.code).toBe(1);
    expect(again.stderr).toContain('pending');
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.stderr)).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'version' }],
    });
  });
});

describe('approve and reject', () => {
  it('decide on a version with reason and name', async () => {
    const name = await submitted('1.0.0', '2.0.0');

    const approved = await result('approve', name, '--version', '1.0.0');
    const rejected = await result('reject', name, '--reason', 'no', '--by', 'me');

    expect(approved).toMatchObject({
      version: '1.0.0',
      status: 'approved',
      approved_by: 'reviewer',
    });
    expect(rejected).toMatchObject({ version: '2.0.0', rejected_by: 'me', reason: 'no' });
  });

  it('list the versions if the name is ambiguous', async () => {
    const name = await submitted('1.0.0', '2.0.0');

    const { code, stderr } = await run(['approve', name]);

    expect(code).toBe(1);
    expect(stderr).not.toContain('parameters');
    expect(stderr).toContain('  --ecosystem npm --version 2.0.0   (pending)\n');
    expect(stderr).toContain('  --ecosystem npm --version 1.0.0   (pending)\n');
  });

  it('say why an approval is refused, and approve with an override', async () => {
    const fields = {
      ecosystem: 'npm',
      name: 'blocked',
      version: '1.0.0',
      license: 'AGPL-3.0-only',
    };
    await registry.submit(fields, { token });

    const refused = await run(['approve', 'blocked']);
    const approved = await result('approve', 'blocked', '--override', '--reason', 'Tests only');

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('  - The license AGPL-3.0-only is rejected.\n');
    expect(refused.stderr).toContain('--override license_rejected --reason');
    expect(approved).toMatchObject({ status: 'approved', reason: 'Tests only' });
  });

  it('say how to accept a record of malware, and approve with it', async () => {
    const name = await submitted('1.0.0');
    const vulnerabilities = [
      { id: 'MAL-2026-1', severity: 'critical' },
      { id: 'CVE-2026-1', severity: 'critical' },
    ];
    await registry.post(
      packagePath(name).replace('/packages/', '/security/scans/'),
      { tool: 'a-scanner', vulnerabilities },
      { token },
    );

    const refused = await run(['approve', name, '--override', '--reason', 'Checked']);
    const both = await run(['approve', name]);
    const approved = await result(
      ...['approve', name, '--accept-recall', 'MAL-2026-1', '--override', '--reason', 'Checked'],
    );

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      '  - Scans report it as malware: MAL-2026-1. Only accept_recall',
    );
    expect(refused.stderr).toContain('To approve anyway, add: --accept-recall ID --reason');
    expect(both.stderr).toContain('add: --accept-recall ID --override scan_failed --reason');
    expect(approved).toMatchObject({ status: 'approved', reason: 'Checked' });
  });

  it('override only the named issues, and only for the shown evidence', async () => {
    const name = await submitted('1.0.0');
    const vulnerabilities = [{ id: 'CVE-2026-1', severity: 'critical' }];
    await registry.post(
      packagePath(name).replace('/packages/', '/security/scans/'),
      { tool: 'a-scanner', vulnerabilities },
      { token },
    );
    const { evidence_version } = await result('show', name, '--evidence');
    const approve = (...args: readonly string[]) =>
      run(['approve', name, '--reason', 'Tests only', ...args]);

    const other = await approve('--override', 'license_rejected');
    const changed = await approve('--override', '--expected-evidence-version', 'seen-before');
    const approved = await approve(
      ...['--override', 'license_rejected', '--override', 'scan_failed'],
      ...['--expected-evidence-version', evidence_version],
    );

    expect(other.code).toBe(1);
    expect(other.stderr).toContain('  - 1 critical vulnerability (policy: fail from high).\n');
    expect(other.stderr).toContain('--override scan_failed --reason');
    expect(changed.code).toBe(1);
    expect(changed.stderr).toMatch(/evidence has changed.*\n.*registry show --evidence --json/);
    expect(approved.code).toBe(0);
  });

  it.each([
    [
      'no token',
      { REGISTRY_TOKEN: '' },
      'Give a token with registry login, REGISTRY_TOKEN or --token.',
    ],
    ['a wrong token', { REGISTRY_TOKEN: 'wrong' }, 'The token came from REGISTRY_TOKEN.'],
  ])('say what to do with %s', async (_, env, expected) => {
    const { code, stderr } = await run(['approve', 'x'], { env });

    expect(code).toBe(1);
    expect(stderr).toContain(expected);
    expect(stderr).not.toContain('X-API-Key');
  });
});

describe('scan', () => {
  const finding = {
    id: 'CVE-2021-44906',
    severity: 'critical',
    summary: 'Crafted names change the prototype.',
    components: ['minimist 1.2.5'],
    fixed_versions: ['1.2.6'],
  };
  const report = JSON.stringify({ tool: 'by hand', vulnerabilities: [finding] });

  it('upload takes a report from a file or standard input, and show shows it', async () => {
    const name = await submitted('1.0.0', '2.0.0');
    const file = join(commandLine.folder, 'report.json');
    writeFileSync(file, report);

    const uploaded = await result('scan', 'upload', name, file, '--version', '1.0.0');
    const piped = await run(['scan', 'upload', name, '-', '--version', '2.0.0'], { stdin: report });
    const { stdout } = await run(['scan', 'show', name, '--version', '1.0.0']);

    expect(uploaded).toMatchObject({ version: '1.0.0', status: 'failed' });
    expect(piped.code).toBe(0);
    expect(stdout).toContain(`${name}@1.0.0  failed: 1 critical\n`);
    expect(stdout).toMatch(
      /^critical +CVE-2021-44906 +minimist 1\.2\.5 +1\.2\.6 +by hand +Crafted/m,
    );
  });

  it('upload takes a report that is a list', async () => {
    const name = await submitted('1.0.0');
    const pipAudit = JSON.stringify([{ name: 'x', version: '1.0.0', vulns: [] }]);

    const { code, stderr } = await run(['scan', 'upload', name, '-', '--json'], {
      stdin: pipAudit,
    });

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('upload refuses a report of another package, and accepts it with --force', async () => {
    const name = await submitted('1.0.0');
    const ofAnother = JSON.stringify({
      matches: [],
      descriptor: { name: 'grype' },
      source: { type: 'purl', target: 'pkg:npm/another@1.0.0' },
    });

    const refused = await run(['scan', 'upload', name, '-'], { stdin: ofAnother });
    const forced = await run(['scan', 'upload', name, '-', '--force', '--json'], {
      stdin: ofAnother,
    });

    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`pkg:npm/another@1.0.0, not about npm:${name}@1.0.0`);
    expect(refused.stderr).toContain('To keep it anyway, add: --force');
    expect(JSON.parse(forced.stdout)).toMatchObject({ tools: [{ tool: 'grype', forced: true }] });
  });

  it.each([
    ['no report of a scanner', '{"what": "ever"}', 1],
    ['no JSON', 'not JSON', 2],
  ])('upload refuses %s', async (_, stdin, expected) => {
    const name = await submitted('1.0.0');

    const { code } = await run(['scan', 'upload', name, '-'], { stdin });

    expect(code).toBe(expected);
  });

  it('history lists scans, newest first', async () => {
    const name = await submitted('1.0.0');
    const clean = JSON.stringify({ tool: 'by hand', vulnerabilities: [] });
    await run(['scan', 'upload', name, '-'], { stdin: report });
    await run(['scan', 'upload', name, '-'], { stdin: clean });

    const { scans } = await result('scan', 'history', name, '--all');
    const { stdout } = await run(['scan', 'history', name, '--limit', '1']);

    expect(scans).toMatchObject([{ status: 'passed' }, { status: 'failed' }]);
    expect(stdout).toMatch(/^NUMBER +SCANNED AT +PACKAGE +STATUS +FOUND +TOOLS +REASON\n/);
    expect(stdout).toContain('nothing');
  });

  it('show suggests a command for a version without a scan', async () => {
    const name = await submitted('1.0.0');

    const { code, stderr } = await run(['scan', 'show', name]);

    expect(code).toBe(1);
    expect(stderr).toContain('registry scan upload');
  });
});

describe('license', () => {
  it('list shows names, titles and license status', async () => {
    const { code, stdout } = await run(['license', 'list', '--search', 'apache', '--limit', '1']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^NAME +TITLE +STATUS +CATEGORY\nApache-1\.0 +Apache License 1\.0 /);
  });

  it('show accepts an expression, and shortens long lists of names', async () => {
    const { code, stdout } = await run(['license', 'show', 'MIT OR GPL-3.0-only']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Compatible with +\S.*, and \d+ more$/m);
  });

  it('compatibility shows the verdict and the rule', async () => {
    const answer = await result('license', 'compatibility', 'Apache-2.0', 'GPL-2.0-only');

    expect(answer).toMatchObject({ verdict: 'incompatible', rule: expect.any(String) });
  });

  it('set changes a license status, and resets it to the policy', async () => {
    const before = await result('license', 'show', 'EPL-2.0');

    const set = await result('license', 'set', 'EPL-2.0', '--status', 'rejected', '--note', 'No');
    const back = await result('license', 'set', 'EPL-2.0', '--status', 'null');

    expect(before.status).not.toBe('rejected');
    expect(set).toMatchObject({ status: 'rejected', note: 'No', reviewed_by: 'reviewer' });
    expect(back.status).toBe(before.status);
  });

  it('set adds a license of the organisation, by flags and by a file', async () => {
    const file = join(commandLine.folder, 'license.json');
    writeFileSync(file, JSON.stringify({ category: 'proprietary', compatible_with: ['MIT'] }));

    const set = await result(
      ...['license', 'set', 'Acme EULA', '--status', 'approved', '--file', file],
      ...['--text-url', 'https://acme.example/eula', '--requires-attribution'],
      '--no-allows-commercial',
    );

    expect(set).toMatchObject({
      name: 'Acme EULA',
      status: 'approved',
      category: 'proprietary',
      compatible_with: expect.arrayContaining(['MIT']),
      url: 'https://acme.example/eula',
      requires_attribution: true,
      allows_commercial: false,
    });
  });
});

describe('exit code 3', () => {
  it.each([
    ['a fault of the registry', problem(500, 'internal_error'), 'id-1'],
    ['a busy registry', problem(429, 'throttled'), 'throttled'],
    ['something that is no registry', json(404, { message: 'Not Found' }), 'REGISTRY_URL'],
  ])('means %s', async (_, scene, expected) => {
    const server = await startScripted(scene);

    const { code, stdout, stderr } = await run(['list'], { env: { REGISTRY_URL: server.url } });

    await server.close();
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(expected);
  });

  it('means a timeout', async () => {
    const server = await startScripted(() => {});
    const args = ['approve', 'x', '--timeout', '1', '--json'];

    const { code, stderr } = await run(args, { env: { REGISTRY_URL: server.url } });

    await server.close();
    expect(code).toBe(3);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'timeout', status: null });
  });
});

describe('a pipe', () => {
  it('ends the command quietly if its reader closes it', async () => {
    const row = { name: 'x'.repeat(100), version: '1', ecosystem: 'npm', status: 'pending' };
    const packages = Array.from({ length: 1000 }, () => row);
    const endless = await startScripted(
      json(200, { packages, total: 1e9, limit: 1000, offset: 0 }),
    );
    const child = commandLine.start(['list', '--all', '--jsonl', '--url', endless.url]);
    let complaints = '';
    child.stderr.on('data', (data) => {
      complaints += data;
    });

    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await once(child, 'close');

    await endless.close();
    expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
  });

  it('gets no colours and full lines', async () => {
    const name = `wide-${'x'.repeat(200)}`;
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' }, { token });

    const { stdout } = await run(['versions', name]);

    expect(stdout).toContain(`npm:${name}@1.0.0  pending`);
    expect(stdout).not.toContain('\u001b');
  });
});
