import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

const tokens = {
  ci: 'a-token-of-the-people-who-build',
  other: 'a-token-of-the-people-next-door',
  unnamed: 'a-token-of-people-without-a-name',
  nameless: 'a-token-of-others-without-a-name',
  builder: 'a-token-of-builders-that-submits-only',
  baker: 'a-token-of-bakers-that-submits-only',
  maker: 'a-token-of-makers-that-submits-only',
  security: 'a-token-of-people-who-only-review',
} as const;

const scanPath = (name: string, query = ''): string => `/api/v1/security/scans/${name}${query}`;

const own = (tool: string, ...vulnerabilities: readonly object[]) => ({ tool, vulnerabilities });

const log4shell = { id: 'CVE-2021-44228', severity: 'critical' };

const nothing = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };

let registry: TestRegistry;
let count = 0;

beforeAll(async () => {
  registry = await TestRegistry.start({
    tokens: [
      ...[`ci:${tokens.ci}`, `other:${tokens.other}`, tokens.unnamed, tokens.nameless],
      ...[`builder/submit:${tokens.builder}`, `baker/submit:${tokens.baker}`],
      ...[`maker/submit:${tokens.maker}`, `security/submit+review:${tokens.security}`],
    ].join(),
  });
});
afterAll(() => registry.close());

const submitted = async (): Promise<string> => {
  count += 1;
  const name = `scanned-${count}`;
  await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' }, { token: tokens.ci });
  return name;
};

const upload = (name: string, body: object, token: string = tokens.ci, query = '') =>
  registry.post(scanPath(name, query), body, { token });

const show = async (name: string, query = '') => (await registry.get(scanPath(name, query))).body;

const dismiss = (name: string, query: string, token: string = tokens.ci) =>
  registry.send('DELETE', scanPath(name, query), { token, body: { reason: 'a mistake' } });

const approve = (name: string, body?: object) =>
  registry.post(packagePath(name, '/approve'), body, { token: tokens.ci });

const historyOf = async (name: string) =>
  (await registry.get(packagePath(name, '/history'))).body.history;

describe('an upload', () => {
  it.each([
    ['with another token', own('a-scanner'), tokens.other],
    ['with a token that has no label', own('a-scanner'), tokens.unnamed],
    ['of another tool', own('another-scanner'), tokens.ci],
    [
      'that calls the finding harmless',
      own('a-scanner', { ...log4shell, severity: 'low' }),
      tokens.other,
    ],
    [
      'that makes it an alias of what is mild',
      own('a-scanner', { id: 'CVE-1999-0001', severity: 'low', aliases: [log4shell.id] }),
      tokens.other,
    ],
    ['of nothing, in spellings of its tool', own(' A-Scanner '), tokens.other],
  ])('%s makes disappear nothing that another one found', async (_, report, token) => {
    const name = await submitted();
    await upload(name, own('a-scanner', log4shell, { id: 'CVE-2021-45046', severity: 'high' }));

    const second = await upload(name, report, token);

    expect(second.status).toBe(201);
    const body = await show(name);
    expect(body).toMatchObject({ status: 'failed', severity: { critical: 1, high: 1 } });
    const ids = body.vulnerabilities.flatMap((one: { id: string; aliases: string[] }) => [
      one.id,
      ...one.aliases,
    ]);
    expect(ids).toEqual(expect.arrayContaining([log4shell.id, 'CVE-2021-45046']));
    expect(body.tools).toHaveLength(2);
    expect((await approve(name)).body).toMatchObject({ code: 'approval_blocked' });
  });

  it.each(['osv.dev', 'OSV.DEV', ' osv.dev', 'trivy', 'Grype', 'npm audit'])(
    'in our own format may not name %s',
    async (tool) => {
      const { status, body } = await upload(await submitted(), own(tool));

      expect({ status, code: body.code }).toEqual({ status: 400, code: 'reserved_tool' });
    },
  );

  it.each(['\u0001osv.dev', 'trivy\u0007', 'osv\u200b.dev'])(
    'hides no reserved name behind what nobody sees: %j',
    async (tool) => {
      const name = await submitted();

      const written = await upload(name, own(tool, log4shell));
      const sarif = { version: '2.1.0', runs: [{ tool: { driver: { name: tool } }, results: [] }] };
      const reported = await upload(name, sarif);

      expect([written.status, reported.status]).toEqual([400, 400]);
      expect(await show(name)).toMatchObject({ code: 'scan_not_found' });
    },
  );

  it('takes the place of what the same tool found with the same token', async () => {
    const name = await submitted();
    await upload(name, own('a-scanner', log4shell));

    const { body: second } = await upload(name, own('a-scanner'));

    expect(await show(name)).toMatchObject({
      status: 'passed',
      severity: nothing,
      tools: [{ tool: 'a-scanner', label: 'ci', number: 2, status: 'passed' }],
    });
    expect(await show(name, '?number=2')).toEqual(second);
    expect(await show(name, '?number=1')).toMatchObject({ status: 'failed' });
  });

  it('stands beside those of others, each vulnerability once, with who found it', async () => {
    const name = await submitted();
    await upload(name, own('a-scanner', { ...log4shell, aliases: ['GHSA-jfh8-c2jp-5v3q'] }));
    await upload(
      name,
      own('b-scanner', { id: 'GHSA-jfh8-c2jp-5v3q', severity: 'low' }),
      tokens.other,
    );

    const body = await show(name);

    expect(body).toMatchObject({
      status: 'failed',
      severity: { ...nothing, critical: 1 },
      tools_used: ['a-scanner', 'b-scanner'],
      vulnerabilities: [
        {
          // As both call it.
          ...{ id: 'GHSA-jfh8-c2jp-5v3q', aliases: [log4shell.id], severity: 'critical' },
          found_by: ['a-scanner', 'b-scanner'],
        },
      ],
      tools: [
        { tool: 'a-scanner', label: 'ci', status: 'failed', severity: { critical: 1 } },
        { tool: 'b-scanner', label: 'other', status: 'warning', severity: { low: 1 } },
      ],
    });
    expect(JSON.stringify(body)).not.toMatch(/fingerprint/);
  });
});

describe('a report of pip-audit that skipped a dependency', () => {
  const found = { id: 'PYSEC-2021-66', fix_versions: ['2.11.3'], description: 'Slow' };
  const audited = (name: string, ...vulns: readonly object[]) => ({ name, version: '1.0', vulns });
  const skipped = (name: string) => ({ name, skip_reason: 'marked as editable' });
  const audit = (...dependencies: readonly object[]) => ({ dependencies, fixes: [] });
  const python = async (): Promise<string> => {
    count += 1;
    const name = `audited-${count}`;
    await registry.submit({ ecosystem: 'pypi', name, version: '1.0' }, { token: tokens.ci });
    return name;
  };
  const partial =
    'It is partial: it skipped acme-app (marked as editable). Nothing is known of what it skipped.';

  it('is kept with its findings, and says what it skipped', async () => {
    const name = await python();

    const { status, body } = await upload(
      name,
      audit(skipped('acme-app'), audited('jinja2', found)),
    );

    expect([status, body.status, body.reason]).toEqual([201, 'warning', partial]);
    expect(await show(name)).toMatchObject({
      ...{ status: 'warning', reason: partial, severity: { unrated: 1 } },
      tools: [{ tool: 'pip-audit', status: 'warning', reason: partial }],
    });
  });

  it('is never clean, until a whole scan is', async () => {
    const name = await python();

    await upload(name, audit(skipped('acme-app'), audited('jinja2')));
    const before = await show(name);
    await upload(name, audit(audited('acme-app'), audited('jinja2')));

    expect(before).toMatchObject({ status: 'warning', reason: partial, severity: nothing });
    expect(await show(name)).toMatchObject({ status: 'passed', reason: null });
  });

  it('undoes nothing that the one before it found', async () => {
    const name = await python();

    await upload(name, audit(audited('acme-app', found)));
    await upload(name, audit(skipped('acme-app'), audited('jinja2')));

    const { severity, vulnerabilities } = await show(name);
    expect([severity.unrated, vulnerabilities[0].id]).toEqual([1, found.id]);
    await upload(name, audit(audited('acme-app')));
    expect(await show(name)).toMatchObject({ status: 'passed', vulnerabilities: [] });
  });

  it('is an error where it skipped the package itself, in any spelling, and found nothing', async () => {
    const name = await python();
    const report = audit(skipped(name.replace('-', '_').toUpperCase()), audited('jinja2'));

    const { body } = await upload(name, report);

    expect(body).toMatchObject({
      status: 'error',
      tools: [{ tool: 'pip-audit', status: 'error' }],
    });
    expect(body.reason).toMatch(/^It skipped AUDITED_\d+, the package itself: marked as editable$/);
    expect(await show(name)).toMatchObject({ status: 'error', severity: nothing });
  });

  it('names the package itself first among many, and counts the rest', async () => {
    const name = await python();
    const others = ['a', 'b', 'c', 'd', 'e', 'f'].map(skipped);

    const { body } = await upload(name, audit(...others, skipped(name), audited('jinja2', found)));

    expect(body.status).toBe('warning');
    expect(body.reason).toMatch(new RegExp(`it skipped ${name} .*, d \\(.*\\), and 2 more\\.`));
  });
});

describe('the sources of a version', () => {
  const uploadEach = async (name: string, token: string, ...reports: readonly object[]) => {
    const statuses: number[] = [];
    for (const report of reports) statuses.push((await upload(name, report, token)).status);
    return statuses;
  };
  const reports = (...tools: readonly string[]) => tools.map((tool) => own(tool, mild));
  const mild = { id: 'CVE-1999-0001', severity: 'low' };
  const toolsOf = async (name: string): Promise<string[]> =>
    (await show(name)).tools.map(({ tool }: { tool: string }) => tool);

  it('are three for a label that may only submit: its own scans still have their places', async () => {
    const name = await submitted();
    expect(await uploadEach(name, tokens.builder, ...reports('a', 'b', 'c'))).toEqual([
      201, 201, 201,
    ]);

    const refused = await upload(name, own('d'), tokens.builder);
    const inItsPlace = await upload(name, own('b', log4shell), tokens.builder);
    await dismiss(name, '?tool=a&label=builder');
    const afterwards = await upload(name, own('d'), tokens.builder);

    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_tools']);
    expect(refused.body.detail).toMatch(/scans of 3 tools by the label builder \(a; b; c\)/);
    expect([inItsPlace.status, afterwards.status]).toEqual([201, 201]);
  });

  it('are six for all labels that may only submit, so that reviewers always have a place', async () => {
    const name = await submitted();
    await uploadEach(name, tokens.builder, ...reports('a', 'b', 'c'));
    await uploadEach(name, tokens.baker, ...reports('a', 'b', 'c'));

    const refused = await upload(name, own('a', mild), tokens.maker);
    const critical = await upload(name, own('a', log4shell), tokens.security);
    const { body } = await approve(name);

    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_tools']);
    expect(refused.body.detail).toMatch(/6 scans by submit-only tokens/);
    expect(critical.status).toBe(201);
    expect(body).toMatchObject({ code: 'approval_blocked', reasons: [{ code: 'scan_failed' }] });
  });

  it('are ten: a reviewer gets the place of a scan that found nothing, and the history says so', async () => {
    const name = await submitted();
    await uploadEach(
      name,
      tokens.other,
      own('clean-first'),
      ...reports('p', 'q', 'r', 's', 't', 'u'),
    );
    await uploadEach(name, tokens.builder, ...reports('a', 'b'), own('clean-next'));

    const critical = await upload(name, own('trusted', log4shell), tokens.security);
    const [entry] = await historyOf(name);
    const next = await upload(name, own('trusted-too', mild), tokens.security);
    const tools = await toolsOf(name);
    const refused = await upload(name, own('one-more', mild), tokens.security);

    expect([critical.status, next.status]).toEqual([201, 201]);
    expect(entry).toMatchObject({
      ...{ type: 'scan.dismissed', by: 'security' },
      reason: 'It found nothing, and made place for the scan by trusted.',
      scan: { tool: 'clean-next', label: 'builder' },
    });
    expect(tools.sort()).toEqual([
      'a',
      'b',
      'p',
      'q',
      'r',
      's',
      't',
      'trusted',
      'trusted-too',
      'u',
    ]);
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_tools']);
    expect(refused.body.detail).toContain('registry scan dismiss');
    expect(await show(name)).toMatchObject({ status: 'failed', severity: { critical: 1, low: 1 } });
  });

  it('are more than three for a token that may review, which one without scopes is', async () => {
    const name = await submitted();

    const unnamed = await uploadEach(name, tokens.unnamed, ...reports('a', 'b', 'c', 'd'));
    const nameless = await uploadEach(name, tokens.nameless, ...reports('a', 'b', 'c', 'd'));

    expect([unnamed, nameless]).toEqual([
      [201, 201, 201, 201],
      [201, 201, 201, 201],
    ]);
  });
});

describe('DELETE /security/scans/{name}', () => {
  it('has scans count no more, keeps them readable, and tells the history why', async () => {
    const name = await submitted();
    await upload(name, own('a-scanner', log4shell));
    await upload(name, own('a-scanner', { id: 'CVE-2026-1', severity: 'low' }), tokens.other);

    const { status, body } = await dismiss(name, '?tool=A-Scanner&label=ci', tokens.other);

    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ ecosystem: 'npm', package: name, version: '1.0.0' },
      ...{ tool: 'a-scanner', label: 'ci', number: 1, reason: 'a mistake' },
    });
    expect(await show(name)).toMatchObject({ status: 'warning', tools: [{ label: 'other' }] });
    expect(await show(name, '?number=1')).toMatchObject({ status: 'failed' });
    const [entry] = await historyOf(name);
    expect(entry).toMatchObject({
      type: 'scan.dismissed',
      by: 'other',
      reason: 'a mistake',
      scan: { tool: 'a-scanner', label: 'ci', number: 1 },
    });
    expect(entry.scan).not.toHaveProperty('source');
  });

  it('of the last ones leaves a version of which nothing is known', async () => {
    const name = await submitted();
    await upload(name, own('a-scanner', log4shell), tokens.unnamed);

    expect((await dismiss(name, '?tool=a-scanner')).status).toBe(200);
    expect(await show(name)).toMatchObject({ code: 'scan_not_found' });
    const { body } = await approve(name);
    expect(body.status).toBe('approved');
  });

  it('asks which one is meant where tool and label do not tell', async () => {
    const name = await submitted();
    await upload(name, own('a-scanner', log4shell), tokens.unnamed);
    await upload(name, own('a-scanner'), tokens.nameless);

    const unclear = await dismiss(name, '?tool=a-scanner');
    const { body } = await dismiss(name, '?tool=a-scanner&number=2');

    expect(unclear.body.errors).toMatchObject([{ path: 'number' }]);
    expect(unclear.body.detail).toContain('1, 2');
    expect(body.number).toBe(2);
    expect(await show(name)).toMatchObject({ status: 'failed', tools: [{ number: 1 }] });
  });

  it.each([
    ['a tool that has none', '?tool=nothing&label=ci', 404, 'scan_not_found'],
    ['another label', '?tool=a-scanner&label=other', 404, 'scan_not_found'],
    ['no label where the token has one', '?tool=a-scanner', 404, 'scan_not_found'],
    ['no tool', '', 400, 'validation_failed'],
  ])('says what is there where it is asked for %s', async (_, query, status, code) => {
    const name = await submitted();
    await upload(name, own('a-scanner'));

    const answer = await dismiss(name, query);

    expect([answer.status, answer.body.code]).toEqual([status, code]);
    if (status === 404) expect(answer.body.detail).toContain('a-scanner, label ci');
  });

  it('is refused for the scans of the registry itself, and where several versions may be meant', async () => {
    const name = await submitted();
    await registry.submit({ ecosystem: 'npm', name, version: '2.0.0' }, { token: tokens.ci });

    const own = await dismiss(name, '?tool=osv.dev&version=1.0.0');
    const unclear = await dismiss(name, '?tool=a-scanner&label=ci');

    expect([own.status, own.body.code]).toEqual([400, 'reserved_tool']);
    expect([unclear.status, unclear.body.code]).toEqual([400, 'ambiguous_version']);
  });

  it('needs a reason', async () => {
    const name = await submitted();
    await upload(name, own('a-scanner'));

    const { status, body } = await registry.send('DELETE', scanPath(name, '?tool=a-scanner'), {
      token: tokens.ci,
      body: {},
    });

    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: 'reason' }]);
  });
});

describe('GET /attention', () => {
  const attentionOf = async (name: string) => {
    const { body } = await registry.get('/api/v1/attention?limit=1000');
    return body.attention.find((one: { name: string }) => one.name === name);
  };

  it('has an approved version from the very scan that failed, until one passes', async () => {
    const name = await submitted();
    await upload(name, own('a-scanner', log4shell));
    const whilePending = await attentionOf(name);
    await upload(name, own('a-scanner'));
    await approve(name);
    const whilePassed = await attentionOf(name);

    await upload(name, own('a-scanner', log4shell));
    const failed = await attentionOf(name);
    await upload(name, own('b-scanner', { id: 'CVE-2026-1', severity: 'high' }));
    const worse = await attentionOf(name);
    await upload(name, own('a-scanner'));
    await upload(name, own('b-scanner'));

    expect([whilePending, whilePassed]).toEqual([undefined, undefined]);
    expect(failed).toMatchObject({ version: '1.0.0', severity: { ...nothing, critical: 1 } });
    expect(worse).toEqual({ ...failed, severity: { ...nothing, critical: 1, high: 1 } });
    expect(await attentionOf(name)).toBeUndefined();
    const types = (await historyOf(name)).map(({ type }: { type: string }) => type);
    // Told once: it needed attention all the time.
    expect(types).toEqual(['package.attention', 'package.approved', 'package.submitted']);
  });

  it('has a version that was approved though its scan failed, until it is rejected', async () => {
    const name = await submitted();
    await upload(name, own('a-scanner', log4shell));
    await approve(name, { override: true, reason: 'only in tests' });
    const approved = await attentionOf(name);

    await registry.post(packagePath(name, '/reject'), { reason: 'no' }, { token: tokens.ci });

    expect(approved).toMatchObject({ name });
    expect(await attentionOf(name)).toBeUndefined();
  });

  it('has it no more when its scans are dismissed', async () => {
    const name = await submitted();
    await approve(name);
    await upload(name, own('a-scanner', log4shell));
    const failed = await attentionOf(name);

    await dismiss(name, '?tool=a-scanner&label=ci');

    expect(failed).toMatchObject({ name });
    expect(await attentionOf(name)).toBeUndefined();
  });

  it('is paged, the worst first', async () => {
    const severities = ['high', 'critical', 'high', 'critical'];
    for (const severity of severities) {
      const name = await submitted();
      await approve(name);
      await upload(name, own('a-scanner', { id: 'CVE-2026-1', severity }));
    }
    const worst: string[] = [];
    let after = '';
    do {
      const { body } = await registry.get(`/api/v1/attention?limit=1${after}`);
      worst.push(body.attention[0].severity.critical > 0 ? 'critical' : 'high');
      after = body.next === null ? '' : `&after=${encodeURIComponent(body.next)}`;
    } while (after);

    expect(worst).toEqual([...worst].sort());
    expect(worst.filter((one) => one === 'critical').length).toBeGreaterThanOrEqual(2);
    expect((await registry.get('/api/v1/attention?after=anything')).status).toBe(400);
  });
});
