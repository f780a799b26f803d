import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureWidth } from '../../cli/output/text.ts';
import { evidence } from '../../shared/api/openapi/examples/review.ts';
import { CommandLine, type TerminalOptions } from '../support/command-line.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { json, problem, type Scene, silence, startScripted } from '../support/scripted-server.ts';

const token = 'a-token-of-more-than-thirty-two-characters';

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({
    licenses: true,
    tokens: `ana:${token},ben:${token}-of-ben,ci/submit:${token}-of-ci,${token}-of-nobody`,
  });
  commandLine = CommandLine.install();
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const inTerminal = (args: readonly string[], options: TerminalOptions = {}) =>
  commandLine.inTerminal(args, {
    ...options,
    env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: token, ...options.env },
  });

const submit = (name: string, fields: object = {}) =>
  registry.submit(
    { ecosystem: 'npm', name, version: '1.0.0', license: 'MIT', ...fields },
    { token },
  );

const statusOf = async (name: string): Promise<string> =>
  (await registry.get(packagePath(name))).body.status;

describe('a table', () => {
  const name = 'a-package-with-quite-a-long-name-for-a-table';
  beforeAll(async () => {
    await submit(name, { description: '文字 '.repeat(40) });
  });

  it.each([120, 60])('fits a terminal of %i columns and loses nothing', async (columns) => {
    const terminal = inTerminal(['versions', name], { columns });

    expect(await terminal.end()).toBe(0);
    const lines = terminal.page().split('\n');
    expect(Math.max(...lines.map(measureWidth))).toBeLessThanOrEqual(columns);
    // Whole, so that it can be copied.
    expect(terminal.page()).toContain(`npm:${name}@1.0.0`);
    expect(terminal.page()).toContain('pending');
  });

  it('becomes one field per line in a narrow terminal', async () => {
    const terminal = inTerminal(['versions', name], { columns: 12 });

    expect(await terminal.end()).toBe(0);
    const lines = terminal.page().split('\n');
    expect(Math.max(...lines.map(measureWidth))).toBeLessThanOrEqual(12);
    expect(lines).toContain('Status:');
    expect(lines.join('')).toContain(name);
  });

  it('is as wide as its text, also with wide characters', async () => {
    const terminal = inTerminal(['show', name], { columns: 50 });

    expect(await terminal.end()).toBe(0);
    // The address stays whole, so that it can be opened.
    const lines = terminal
      .page()
      .split('\n')
      .filter((line) => !line.startsWith('http'));
    expect(Math.max(...lines.map(measureWidth))).toBeLessThanOrEqual(50);
  });

  it('has colours in a terminal', async () => {
    const terminal = inTerminal(['versions', name]);

    await terminal.end();
    expect(terminal.raw()).toContain('\u001b[33mpending\u001b[39m');
  });

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('has none with %j', async (env) => {
    const terminal = inTerminal(['versions', name], { env });

    await terminal.end();
    expect(terminal.raw()).toContain('pending');
    expect(terminal.raw()).not.toContain('\u001b[');
  });

  it('shows progress before several pages', async () => {
    await submit('paged-1');
    await submit('paged-2');

    const terminal = inTerminal(['list', '--search', 'paged', '--all', '--limit', '1']);

    expect(await terminal.end()).toBe(0);
    expect(terminal.screen()).toContain('1 of 2 read');
    expect(terminal.screen()).toContain('paged-2');
  });
});

describe('a decision at a terminal', () => {
  const reasoned = ['--reason', 'It was a mistake'];

  it('says first what happened, and where it is in the console', async () => {
    await submit('said-first');

    const approved = inTerminal(['approve', 'said-first@1.0.0', '--expires', '90d']);

    expect(await approved.end()).toBe(0);
    const [sentence, address] = approved.page().split('\n');
    expect(sentence).toMatch(/^Approved npm:said-first@1\.0\.0 until \d{4}-[\d-]+T[\d:]+Z\.$/);
    expect(address).toBe(`${registry.url}/console#/packages/npm/said-first/1.0.0`);
  });

  it('asks before it reverses an earlier one, and changes nothing without a yes', async () => {
    await submit('asked-first');
    await inTerminal(['approve', 'asked-first', '--yes']).end();
    const rejected = inTerminal(['reject', 'asked-first', ...reasoned]);

    await rejected.shows('npm:asked-first@1.0.0 is approved by ana');
    await rejected.shows('Reject it? [y/N] ');
    rejected.type('\r');
    await rejected.shows('Nothing was changed.');

    expect(await rejected.end()).toBe(1);
    expect(await statusOf('asked-first')).toBe('approved');
  });

  it('reverses after a yes, unless somebody else was faster', async () => {
    for (const name of ['reversed-yes', 'reversed-late']) {
      await submit(name);
      await inTerminal(['approve', name, '--yes']).end();
    }
    const yes = inTerminal(['reject', 'reversed-yes', ...reasoned]);
    await yes.shows('Reject it? [y/N] ');
    yes.type('y\r');
    const late = inTerminal(['reject', 'reversed-late', ...reasoned]);
    await late.shows('Reject it? [y/N] ');
    await registry.post(packagePath('reversed-late', '/reject'), { reason: 'x' }, { token });
    late.type('y\r');

    expect(await yes.end()).toBe(0);
    expect(yes.page()).toContain('Rejected npm:reversed-yes@1.0.0: It was a mistake.');
    expect(await statusOf('reversed-yes')).toBe('rejected');
    expect(await late.end()).toBe(1);
    expect(late.page()).toContain('is rejected, not approved. Nothing was changed.');
  });

  it('does not ask with --yes, nor for a pending version that was named', async () => {
    await submit('not-asked');
    const first = inTerminal(['reject', 'npm:not-asked@1.0.0', ...reasoned]);
    expect(await first.end()).toBe(0);
    const second = inTerminal(['approve', 'not-asked', '--yes', ...reasoned]);

    expect(await second.end()).toBe(0);
    expect(second.page()).toContain('Approved npm:not-asked@1.0.0.');
  });

  it('asks if only a name was typed, and decides on the version of the question', async () => {
    await submit('chosen', { version: '1.0.0' });

    const terminal = inTerminal(['approve', 'chosen']);
    await terminal.shows('npm:chosen@1.0.0 is pending');
    await terminal.shows('Approve it? [y/N] ');
    await submit('chosen', { version: '2.0.0' });
    terminal.type('y\r');

    expect(await terminal.end()).toBe(0);
    expect(terminal.page()).toContain('Approved npm:chosen@1.0.0.');
  });

  it('ends with 130 after Ctrl-C, and changes nothing', async () => {
    await submit('interrupted');

    const terminal = inTerminal(['approve', 'interrupted']);
    await terminal.shows('Approve it? [y/N] ');
    terminal.type('\u0003');

    expect(await terminal.end()).toBe(130);
    expect(terminal.page()).toContain('Nothing was changed.');
    expect(await statusOf('interrupted')).toBe('pending');
  });

  it('reports a missing reason before it asks', async () => {
    await submit('without-reason');

    const terminal = inTerminal(['reject', 'without-reason']);

    expect(await terminal.end()).toBe(2);
    expect(terminal.page()).toContain('Missing --reason');
  });

  it('names with --dry-run the version that it is about', async () => {
    await submit('dry-first');

    const terminal = inTerminal(['reject', 'dry-first', ...reasoned, '--dry-run']);

    expect(await terminal.end()).toBe(0);
    expect(terminal.page()).toContain('This would reject npm:dry-first@1.0.0, which is pending.');
    expect(await statusOf('dry-first')).toBe('pending');
  });
});

describe('show', () => {
  it('names the approved version, and the packages of that name in other ecosystems', async () => {
    await submit('shown-often');
    await inTerminal(['approve', 'shown-often', '--yes']).end();
    await submit('shown-often', { version: '2.0.0' });
    await submit('shown-often', { ecosystem: 'pypi', version: '3.0.0' });

    const any = inTerminal(['show', 'shown-often', '--ecosystem', 'npm']);
    const named = inTerminal(['show', 'shown-often']);
    const exact = inTerminal(['show', 'npm:shown-often@2.0.0']);

    expect([await any.end(), await named.end(), await exact.end()]).toEqual([0, 0, 0]);
    expect(any.page()).toMatch(/^Newest approved version: npm:shown-often@1\.0\.0\n/);
    expect(any.page()).toMatch(/\n\nnpm:shown-often@2\.0\.0 waits for review\.\n/);
    expect(any.page()).toMatch(/^Issues of npm:shown-often@2\.0\.0: .*has no scan/m);
    expect(named.page()).toMatch(/^In other ecosystems: .*npm:shown-often@2\.0\.0\n/m);
    expect(exact.page()).not.toMatch(/approved version:|In other/);
  });
});

describe('review', () => {
  const detail = {
    ...{ name: 'x', ecosystem: 'npm', version: '1.0.0', status: 'pending', license: null },
    ...{ description: null, homepage: null, repository: null },
    ...{ submitted_by: null, submitted_at: '2025-01-01T00:00:00.000Z' },
  };
  const anybody = { label: null, scopes: ['submit', 'review'], fingerprint: null };
  /** The end of every menu for a pending version, with or without a way back. */
  const question = 'quit? [a/r/s/';

  it("walks through the queue with the reviewer's answers", async () => {
    for (const what of ['approve', 'reject', 'skip', 'leave']) {
      await submit(`walk-${what}`, { description: `To ${what}`, license: 'No-Such-License' });
    }
    const terminal = inTerminal(['review', '--search', 'walk-', '--by', 'ana@example.com']);

    await terminal.shows('npm:walk-approve@1.0.0');
    await terminal.shows('To approve');
    await terminal.shows('No-Such-License: unreviewed');
    await terminal.shows('no scan');
    await terminal.shows(question);
    terminal.type('a\r');
    await terminal.shows('npm:walk-approve@1.0.0 is approved.');
    await terminal.shows('npm:walk-reject@1.0.0');
    await terminal.shows(question);
    terminal.type('r\r');
    await terminal.shows('Why?');
    terminal.type('Nobody needs it\r');
    await terminal.shows('npm:walk-reject@1.0.0 is rejected.');
    await terminal.shows('npm:walk-skip@1.0.0');
    await terminal.shows(question);
    terminal.type('s\r');
    await terminal.shows('npm:walk-leave@1.0.0');
    await terminal.shows(question);
    terminal.type('q\r');
    await terminal.shows('1 approved, 1 rejected, 1 skipped.');

    expect(await terminal.end()).toBe(0);
    expect((await registry.get(packagePath('walk-approve'))).body).toMatchObject({
      status: 'approved',
      approved_by: 'ana@example.com',
    });
    expect((await registry.get(packagePath('walk-reject'))).body).toMatchObject({
      status: 'rejected',
      rejected_by: 'ana@example.com',
      reason: 'Nobody needs it',
    });
    expect([await statusOf('walk-skip'), await statusOf('walk-leave')]).toEqual([
      'pending',
      'pending',
    ]);
  });

  it.each([
    ['a', 'approve', 'approved'],
    ['a', 'reject', 'rejected'],
    ['r', 'approve', 'approved'],
    ['r', 'reject', 'rejected'],
  ])(
    'changes nothing by %s when a second reviewer chose to %s first',
    async (key, what, status) => {
      const name = `second-${key}-${what}`;
      await submit(name);
      const terminal = inTerminal(['review', '--search', name]);
      await terminal.shows(question);
      await registry.post(
        packagePath(name, `/${what}`),
        { reason: 'x' },
        { token: `${token}-of-ben` },
      );

      terminal.type(`${key}\r`);
      if (key === 'r') {
        await terminal.shows('Why?');
        terminal.type('I think so\r');
      }

      await terminal.shows(
        `ben decided first: npm:${name}@1.0.0 is ${status}. Nothing was changed.`,
      );
      await terminal.shows('1 decided by others.');
      expect(await terminal.end()).toBe(0);
      expect((await registry.get(packagePath(name))).body).toMatchObject({ status, reason: 'x' });
    },
  );

  it.each([
    ['nothing', ['']],
    ['n', ['n']],
    ['no', ['no']],
    ['yes without a reason', ['y', '']],
    ['menu letters in place of a reason', ['yes', 'n', 'a', 's', '']],
  ])('does not override blocking issues by %s', async (what, answers) => {
    const name = `${what.replaceAll(' ', '-')}-is-not-enough`;
    await submit(name, { license: 'AGPL-3.0-only' });
    const terminal = inTerminal(['review', '--search', name]);

    await terminal.shows('AGPL-3.0-only: rejected');
    await terminal.shows(question);
    terminal.type('a\r');
    await terminal.shows('The license AGPL-3.0-only is rejected.');
    for (const [at, answer] of answers.entries()) {
      await terminal.shows(at === 0 ? 'Approve anyway? [y/N/?] ' : 'Why? ');
      terminal.type(`${answer}\r`);
    }
    await terminal.shows('1 skipped.');

    expect(await terminal.end()).toBe(0);
    expect(await statusOf(name)).toBe('pending');
  });

  it('skips a version that a scan reports as malware, and shows the command that approves it', async () => {
    await submit('malicious');
    const vulnerabilities = [{ id: 'MAL-2026-1', severity: 'low' }];
    const body = { tool: 'a-scanner', vulnerabilities };
    await registry.post('/api/v1/security/scans/malicious', body, { token });
    const terminal = inTerminal(['review', '--search', 'malicious']);

    await terminal.shows(question);
    terminal.type('a\r');
    await terminal.shows('registry approve --accept-recall MAL-2026-1.');
    await terminal.shows('1 skipped.');

    expect(await terminal.end()).toBe(0);
    expect(await statusOf('malicious')).toBe('pending');
  });

  it('overrides blocking issues by yes and a reason', async () => {
    await submit('overridden', { license: 'AGPL-3.0-only' });
    const terminal = inTerminal(['review', '--search', 'overridden']);

    await terminal.shows(question);
    terminal.type('a\r');
    await terminal.shows('Approve anyway? [y/N/?] ');
    terminal.type('y\r');
    await terminal.shows('Why? (empty: do not approve) ');
    terminal.type('Tests only\r');
    await terminal.shows('npm:overridden@1.0.0 is approved.');
    await terminal.shows('1 approved.');

    expect(await terminal.end()).toBe(0);
    expect((await registry.get(packagePath('overridden'))).body).toMatchObject({
      status: 'approved',
      reason: 'Tests only',
    });
  });

  it('approves the shown evidence, and shows it again if it changed', async () => {
    const name = 'seen-before';
    const scan = (...severities: readonly string[]) => {
      const vulnerabilities = severities.map((severity, at) => ({ id: `CVE-${at}`, severity }));
      const body = { tool: 'a-scanner', vulnerabilities };
      return registry.post(`/api/v1/security/scans/${name}`, body, { token });
    };
    await submit(name);
    await scan('high');
    const terminal = inTerminal(['review', '--search', name]);
    const approve = async (issue: string): Promise<void> => {
      await terminal.shows(question);
      terminal.type('a\r');
      await terminal.shows(`  - ${issue}`);
      await terminal.shows('Approve anyway? [y/N/?] ');
      terminal.type('y\r');
      await terminal.shows('Why? (empty: do not approve) ');
    };

    await approve('1 high vulnerability (policy: fail from high).');
    await scan('high', 'critical');
    terminal.type('Tests only\r');
    await terminal.shows(`npm:${name}@1.0.0 was not approved: its evidence has changed.`);
    expect(await statusOf(name)).toBe('pending');
    await approve('1 critical, 1 high vulnerabilities (policy: fail from high).');
    terminal.type('Tests only\r');
    await terminal.shows('1 approved.');

    expect(await terminal.end()).toBe(0);
    const { history } = (await registry.get(packagePath(name, '/history'))).body;
    expect(history[0]).toMatchObject({ type: 'package.approved', overridden: ['scan_failed'] });
  });

  it.each([
    ['q', 0],
    ['Q', 0],
    ['quit', 0],
    ['\u0003', 130],
  ])('decides nothing and ends by %j in place of a reason, with %i', async (answer, code) => {
    const name = `reason-${answer.charCodeAt(0)}-${answer.length}`;
    for (const version of ['1.0.0', '2.0.0']) await submit(name, { version });
    const terminal = inTerminal(['review', '--search', name]);

    await terminal.shows(question);
    terminal.type('r\r');
    await terminal.shows('Why?');
    terminal.type(`${answer}\r`);
    await terminal.shows('Nothing was decided.');

    expect(await terminal.end()).toBe(code);
    expect(await statusOf(name)).toBe('pending');
  });

  it.each(['.', '..'])('shows the license %j, which no path can contain', async (license) => {
    const name = `dots-${license.length}`;
    await submit(name, { license });
    const terminal = inTerminal(['review', '--search', name]);

    await terminal.shows(`${license}: unreviewed`);
    await terminal.shows(question);
    terminal.type('a\r');
    await terminal.shows(`npm:${name}@1.0.0 is approved.`);

    expect(await terminal.end()).toBe(0);
  });

  it('shows the normalized license of a license text', async () => {
    await submit('in-words', { license: 'GNU Affero GPL v3' });
    const terminal = inTerminal(['review', '--search', 'in-words']);

    await terminal.shows('GNU Affero GPL v3, normalized to AGPL-3.0-only: rejected');
    await terminal.shows(question);
    terminal.type('q\r');

    expect(await terminal.end()).toBe(0);
  });

  it('continues with the next version if one cannot be shown', async () => {
    const packages = ['broken', 'whole'].map((name) => ({ ...detail, name }));
    const server = await startScripted((response, request) => {
      const { pathname } = new URL(request.url ?? '', 'http://registry');
      const scene =
        pathname === '/api/v1/packages/whole/evidence'
          ? json(200, { ...evidence, package: { ...detail, name: 'whole' } })
          : problem(404, 'package_not_found');
      const others: Record<string, Scene> = {
        '/api/v1/packages': json(200, { packages, total: 2, limit: 100, offset: 0 }),
        '/api/v1/whoami': json(200, anybody),
      };
      (others[pathname] ?? scene)(response, request);
    });
    const terminal = inTerminal(['review'], { env: { REGISTRY_URL: server.url } });

    await terminal.shows('npm:broken@1.0.0 cannot be shown: Told: package_not_found.');
    await terminal.shows('npm:whole@1.0.0');
    await terminal.shows(question);
    terminal.type('q\r');
    await terminal.shows('1 skipped.');

    expect(await terminal.end()).toBe(0);
    await server.close();
  });

  it('asks again for a reason of a rejection', async () => {
    await submit('unsure');
    const terminal = inTerminal(['review', '--search', 'unsure']);

    await terminal.shows(question);
    terminal.type('r\r');
    await terminal.shows('Why?');
    terminal.type('\r');
    await terminal.shows(question);
    terminal.type('what\r');
    await terminal.shows(question);
    terminal.type('s\r');

    expect(await terminal.end()).toBe(0);
    expect(await statusOf('unsure')).toBe('pending');
  });

  it('ends normally at Ctrl-D', async () => {
    await submit('gone');
    const terminal = inTerminal(['review', '--search', 'gone']);

    await terminal.shows(question);
    terminal.type('\u0004');

    await terminal.shows('Nothing was decided.');
    expect(await terminal.end()).toBe(0);
  });

  it.each([
    ['only-one', 'pkg:npm/only-one@2.0.0', ['2.0.0'], '1 skipped.'],
    ['only-two', 'npm:only-two', ['2.0.0', '1.0.0'], '2 skipped.'],
    ['other', 'npm:nobody-submitted-it', [], 'Nothing that matches is pending.'],
  ])(
    'walks through the pending versions of one package: %s',
    async (name, typed, versions, said) => {
      for (const version of ['1.0.0', '2.0.0']) await submit(name, { version });
      const terminal = inTerminal(['review', typed]);

      for (const version of versions) {
        await terminal.shows(`npm:${name}@${version}`);
        await terminal.shows(question);
        terminal.type('s\r');
      }
      await terminal.shows(said);

      expect(await terminal.end()).toBe(0);
    },
  );

  it('exits at Ctrl-C with 130, and shows the decisions so far', async () => {
    for (const name of ['leave-1', 'leave-2', 'leave-3']) await submit(name);
    const terminal = inTerminal(['review', '--search', 'leave-']);

    await terminal.shows('npm:leave-1@1.0.0');
    await terminal.shows(question);
    terminal.type('a\r');
    await terminal.shows('npm:leave-2@1.0.0');
    await terminal.shows(question);
    terminal.type('\u0003');

    expect(await terminal.end()).toBe(130);
    expect(terminal.screen()).toMatch(/\n1 approved\.\n$/);
    expect(terminal.screen()).not.toContain('leave-3');
  });

  it.each([
    ['whoami', 'GET', 'nothing is said before'],
    ['/packages?', 'GET', 'Nothing was decided.'],
    [
      '/approve',
      'POST',
      'It is unknown whether npm:x@1.0.0 is approved: run registry show npm:x@1.0.0',
    ],
  ])('exits at Ctrl-C while the registry does not answer %s', async (part, method, said) => {
    const server = await startScripted((response, request) => {
      const url = request.url ?? '';
      if (url.includes(part)) return silence(response, request);
      const list = json(200, { packages: [detail], total: 1, limit: 100, offset: 0 });
      const shown = json(200, { ...evidence, package: detail });
      const scene = url.includes('whoami')
        ? json(200, anybody)
        : url.includes('/x/')
          ? shown
          : list;
      return scene(response, request);
    });
    const terminal = inTerminal(['review'], { env: { REGISTRY_URL: server.url } });

    if (method === 'POST') {
      await terminal.shows(question);
      terminal.type('a\r');
    }
    await expect.poll(() => server.received.at(-1)?.url).toContain(part);
    terminal.type('\u0003');

    expect(await terminal.end()).toBe(130);
    if (part !== 'whoami') expect(terminal.screen()).toContain(said);
    expect(terminal.screen()).not.toContain('error:');
    await server.close();
  });

  it('goes back, shows current decisions, and decides skipped versions', async () => {
    for (const name of ['back-1', 'back-2', 'back-3']) await submit(name);
    const terminal = inTerminal(['review', '--search', 'back-']);

    await terminal.shows('1 of 3\nnpm:back-1@1.0.0');
    await terminal.shows('Approve, reject, skip or quit? [a/r/s/q/?] ');
    terminal.type('b\r');
    await terminal.shows(question);
    terminal.type('a\r');
    await terminal.shows('2 of 3\nnpm:back-2@1.0.0');
    await terminal.shows('Approve, reject, skip, back or quit? [a/r/s/b/q/?] ');
    terminal.type('s\r');
    await terminal.shows('3 of 3\nnpm:back-3@1.0.0');
    await terminal.shows(question);
    terminal.type('b\r');
    await terminal.shows('2 of 3\nnpm:back-2@1.0.0');
    await terminal.shows(question);
    terminal.type('b\r');
    await terminal.shows('1 of 3\nnpm:back-1@1.0.0  approved');
    await terminal.shows('Next or quit? [n/q/?] ');
    terminal.type('n\r');
    await terminal.shows('2 of 3\nnpm:back-2@1.0.0');
    await terminal.shows(question);
    terminal.type('r\r');
    await terminal.shows('Why?');
    terminal.type('Nobody needs it\r');
    await terminal.shows('npm:back-2@1.0.0 is rejected.');
    await terminal.shows('3 of 3\nnpm:back-3@1.0.0');
    await terminal.shows(question);
    terminal.type('q\r');
    await terminal.shows('1 approved, 1 rejected.');

    expect(await terminal.end()).toBe(0);
    expect([await statusOf('back-1'), await statusOf('back-2'), await statusOf('back-3')]).toEqual([
      'approved',
      'rejected',
      'pending',
    ]);
  });

  it('explains the letters of each prompt', async () => {
    await submit('explained', { license: 'AGPL-3.0-only' });
    const terminal = inTerminal(['review', '--search', 'explained']);

    await terminal.shows(question);
    terminal.type('?\r');
    await terminal.shows('  a  approve it\n  r  reject it, with a reason\n  s  leave it pending');
    await terminal.shows('  q  end the review, as Ctrl-C does\n');
    await terminal.shows(question);
    terminal.type('r\r');
    await terminal.shows('Why?');
    terminal.type('?\r');
    await terminal.shows('"?" is no reason: type it on one line. Empty: do not reject');
    terminal.type('\r');
    await terminal.shows(question);
    terminal.type('a\r');
    await terminal.shows('Approve anyway? [y/N/?] ');
    terminal.type('?\r');
    await terminal.shows('  y  yes, with a reason\n  n  no, also without an answer\n');
    terminal.type('q\r');

    expect(await terminal.end()).toBe(0);
    expect(await statusOf('explained')).toBe('pending');
  });

  it.each([
    ['ana', token, 'as ana, who may submit and review.'],
    [
      'a token without a label',
      `${token}-of-nobody`,
      /with the token [0-9a-f]{16}, which may submit and review\./,
    ],
  ])('shows registry, label and scopes at the start: %s', async (_, own, said) => {
    const env = { REGISTRY_TOKEN: own };
    const terminal = inTerminal(['review', '--search', 'nothing-like-that'], { env });

    expect(await terminal.end()).toBe(0);
    const [first = ''] = terminal.page().split('\n');
    expect(first).toMatch(`Reviewing at ${registry.url} `);
    expect(first).toMatch(said);
  });

  it.each([
    ['wrong', 'wrong', 'The token came from REGISTRY_TOKEN.'],
    ['none', '', 'Give a token with registry login, REGISTRY_TOKEN or --token.'],
    ['for submitting alone', `${token}-of-ci`, 'The token from REGISTRY_TOKEN may only submit at'],
  ])('refuses at once if the token is %s', async (_, own, said) => {
    await submit('closed', { version: `${own.length}.0.0` });
    const env = { REGISTRY_TOKEN: own };
    const terminal = inTerminal(['review', '--search', 'closed'], { env });

    expect(await terminal.end()).toBe(1);
    expect(terminal.screen()).toContain(said);
    expect(terminal.screen()).not.toContain('closed');
  });

  it('says that no version is pending', async () => {
    const terminal = inTerminal(['review', '--search', 'nothing-like-that']);

    expect(await terminal.end()).toBe(0);
    expect(terminal.screen()).toContain('Nothing that matches is pending.');
    expect(terminal.screen()).not.toContain('Nothing was decided.');
  });
});
