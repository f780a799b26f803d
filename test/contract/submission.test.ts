import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

describe('POST /packages', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start();
  });
  afterAll(() => registry.close());

  it('answers 201 with the detail, pending, and where it is', async () => {
    const { status, headers, body } = await registry.post('/api/v1/packages', {
      name: '@types/node',
      version: '24.0.0',
      ecosystem: 'npm',
      license: 'mit',
      description: 'Types',
      homepage: 'https://example.com/a?b=c#d',
      repository: 'git+https://example.com/x.git',
      submitted_by: 'web@example.com',
    });

    expect(status).toBe(201);
    expect(headers.get('location')).toBe(
      `${registry.url}/api/v1/packages/%40types%2Fnode?ecosystem=npm&version=24.0.0`,
    );
    expect(body).toEqual({
      name: '@types/node',
      version: '24.0.0',
      ecosystem: 'npm',
      status: 'pending',
      license: 'MIT',
      license_normalized: 'MIT',
      license_note: null,
      description: 'Types',
      homepage: 'https://example.com/a?b=c#d',
      repository: 'git+https://example.com/x.git',
      submitted_by: 'web@example.com',
      submitted_token_label: null,
      submitted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      approved_by: null,
      approved_token_label: null,
      approved_at: null,
      rejected_by: null,
      rejected_token_label: null,
      rejected_at: null,
      reason: null,
      expires_at: null,
      previous: null,
    });
    const found = await fetch(headers.get('location') ?? '');
    expect(await found.json()).toEqual(body);
  });

  it('needs name, version and ecosystem only; the rest is null', async () => {
    const { body } = await registry.submit({ name: 'minimal', version: '1.0.0', ecosystem: 'npm' });

    expect(body).toMatchObject({
      license: null,
      description: null,
      homepage: null,
      repository: null,
      submitted_by: null,
    });
  });

  it.each([
    { type: 'pypi' },
    { type: 'pypi', ecosystem: 'pypi' },
    { ecosystem: 'pypi', license: null, type: null },
  ])('takes type for ecosystem, and null for nothing: %j', async (fields) => {
    const name = `alias-${JSON.stringify(fields).length}`;

    const { body } = await registry.submit({ name, version: '1', ...fields });

    expect(body.ecosystem).toBe('pypi');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no name', { name: undefined }, 'name'],
    ['no version', { version: undefined }, 'version'],
    ['no ecosystem', { ecosystem: undefined }, 'ecosystem'],
    ['an unknown ecosystem', { ecosystem: 'cargo' }, 'ecosystem'],
    ['type and ecosystem that differ', { type: 'pypi' }, 'type'],
    ['a name that is no text', { name: 7 }, 'name'],
    ['a name against the grammar', { name: '../etc/passwd' }, 'name'],
    ['a version against the grammar', { version: 'latest' }, 'version'],
    ['a typing error in a field', { licence: 'MIT' }, 'licence'],
    ['a field that the server sets', { status: 'approved' }, 'status'],
    ['a license over 255 characters', { license: 'x'.repeat(256) }, 'license'],
    ['a blank license', { license: ' ' }, 'license'],
    ['a description over 4096 characters', { description: 'x'.repeat(4097) }, 'description'],
    ['a description with half a character', { description: '\ud800' }, 'description'],
    ['a homepage that is no URL', { homepage: 'example.com' }, 'homepage'],
    ['a homepage that is a script', { homepage: 'javascript:alert(1)' }, 'homepage'],
    ['a homepage that is data', { homepage: 'data:text/html,x' }, 'homepage'],
    ['a homepage with a password', { homepage: 'https://u:p@example.com' }, 'homepage'],
    ['a homepage over ssh', { homepage: 'ssh://example.com' }, 'homepage'],
    ['a homepage that a browser would mend', { homepage: 'http:example.com' }, 'homepage'],
    ['a homepage with a quote', { homepage: 'https://example.com/"x' }, 'homepage'],
    ['a homepage with a blank', { homepage: 'https://example.com/a b' }, 'homepage'],
    [
      'a homepage over 2048 characters',
      { homepage: `https://x.com/${'a'.repeat(2048)}` },
      'homepage',
    ],
    ['a repository that is a file', { repository: 'file:///etc/passwd' }, 'repository'],
    ['a repository with a user', { repository: 'ssh://git@example.com/x' }, 'repository'],
    ['a submitter with a line break', { submitted_by: 'a\nb' }, 'submitted_by'],
    ['a submitter over 254 characters', { submitted_by: 'x'.repeat(255) }, 'submitted_by'],
  ])('refuses %s and names the field', async (_, fields, path) => {
    const submission = { name: 'refused', version: '1.0.0', ecosystem: 'npm', ...fields };

    const { status, body } = await registry.post('/api/v1/packages', submission);

    expect(status).toBe(400);
    expect(body.code).toBe('validation_failed');
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual([path]);
    expect((await registry.get(packagePath('refused'))).status).toBe(404);
  });

  const hidden = [
    ['turns text around', '\u202e', 'U+202E'],
    ['isolates', '\u2066', 'U+2066'],
    ['has no width', '\u200b', 'U+200B'],
    ['joins', '\u200d', 'U+200D'],
    ['is a mark of byte order', '\ufeff', 'U+FEFF'],
    ['is a soft hyphen', '\u00ad', 'U+00AD'],
    ['is a tag', '\u{e0041}', 'U+E0041'],
    ['breaks lines', '\u2028', 'U+2028'],
    ['fills', '\u3164', 'U+3164'],
  ] as const;

  it.each(
    hidden.flatMap(([what, character, code]) =>
      [
        ['license', `MI${character}T`],
        ['homepage', `https://example.com/a${character}b`],
        ['repository', `https://exam${character}ple.com/`],
        ['submitted_by', `ana${character}@example.com`],
      ].map(([field = '', value]) => [field, what, value, code] as const),
    ),
  )('refuses a %s with a character that %s, and names it', async (field, _, value, code) => {
    const { status, body } = await registry.post('/api/v1/packages', {
      ...{ name: 'refused', version: '1.0.0', ecosystem: 'npm' },
      [field]: value,
    });

    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { path: field, message: `must not contain the invisible character ${code}` },
    ]);
  });

  it('keeps letters, marks and signs of every script', async () => {
    const fields = { license: 'Ärzte-Lizenz №1', submitted_by: 'ג׳ורג׳ Ωmega 日本 🙂' };

    const { body } = await registry.submit({
      ...{ name: 'scripts', version: '1.0.0', ecosystem: 'npm' },
      ...fields,
    });

    expect(body).toMatchObject(fields);
  });

  it('names every wrong field at once', async () => {
    const { body } = await registry.post('/api/v1/packages', { licence: 'MIT' });

    expect(body.errors.map((error: { path: string }) => error.path).sort()).toEqual([
      'ecosystem',
      'licence',
      'name',
      'version',
    ]);
  });

  it.each(['http', 'https', 'git', 'git+https', 'git+ssh', 'ssh'])(
    'accepts a repository over %s',
    async (protocol) => {
      const repository = `${protocol}://example.com/x.git`;
      const name = `repository-${protocol.replace('+', '-')}`;

      const { body } = await registry.submit({
        name,
        version: '1.0.0',
        ecosystem: 'npm',
        repository,
      });

      expect(body.repository).toBe(repository);
    },
  );

  it('accepts every field at its maximum length', async () => {
    const { body } = await registry.submit({
      name: 'n'.repeat(214),
      version: `1.0.0-${'v'.repeat(250)}`,
      ecosystem: 'npm',
      license: 'l'.repeat(255),
      description: '文'.repeat(4096),
      homepage: `https://example.com/${'h'.repeat(2028)}`,
      repository: `https://example.com/${'r'.repeat(2028)}`,
      submitted_by: 's'.repeat(254),
    });

    const { body: read } = await registry.get(packagePath('n'.repeat(214)));
    expect(read).toEqual(body);
  });

  it('keeps text exactly as it was sent', async () => {
    const description = ' <b>"quoted" \\ and\ttabs\nlines 😀 \u0000 ';

    const { body } = await registry.submit({
      name: 'text',
      version: '1',
      ecosystem: 'pypi',
      description,
    });

    expect(body.description).toBe(description);
  });
});

describe('a package version that exists', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start();
  });
  afterAll(() => registry.close());

  it.each<[string, string, string, string, string]>([
    ['pypi', 'Flask_Login', '1.0', 'flask.-login', '1.0.0'],
    ['pypi', 'rc', '1.0-RC1', 'rc', '1rc1'],
    ['npm', 'left-pad', '1.0.0+one', 'left-pad', '1.0.0+two'],
    ['docker', 'nginx', '1.27', 'docker.io/library/nginx', '1.27'],
    ['maven', 'a.b:c', '1.0', 'a.b:c', '1.0'],
  ])(
    'is the same in %s for %s %s and %s %s',
    async (ecosystem, name, version, sameName, sameVersion) => {
      await registry.submit({ ecosystem, name, version });

      const { status, headers, body } = await registry.post('/api/v1/packages', {
        ecosystem,
        name: sameName,
        version: sameVersion,
      });

      expect(status).toBe(409);
      expect(body.code).toBe('package_exists');
      expect(body.detail).toContain('pending');
      const found = await fetch(headers.get('location') ?? '');
      expect(await found.json()).toMatchObject({ name, version });
    },
  );

  it.each<[string, string, string, string, string]>([
    ['npm', 'JSONStream', '1.0.0', 'jsonstream', '1.0.0'],
    ['npm', 'foo-bar', '1.0.0', 'foo_bar', '1.0.0'],
    ['npm', 'versions', '1.0.0-a1', 'versions', '1.0.0-a.1'],
    ['maven', 'a:b', '1.0', 'a:b', '1.0.0'],
    ['docker', 'redis', '7.0', 'redis', '7'],
    ['pypi', 'local', '1.0+a', 'local', '1.0+b'],
  ])(
    'is another in %s for %s %s and %s %s',
    async (ecosystem, name, version, otherName, otherVersion) => {
      await registry.submit({ ecosystem, name, version });

      const { body } = await registry.submit({ ecosystem, name: otherName, version: otherVersion });

      expect(body).toMatchObject({ name: otherName, version: otherVersion });
      const read = await registry.get(
        packagePath(otherName, `?version=${encodeURIComponent(otherVersion)}`),
      );
      expect(read.body).toEqual(body);
    },
  );

  it('is told with its status, whatever it is', async () => {
    const submission = { ecosystem: 'npm', name: 'decided', version: '1.0.0' };
    await registry.submit(submission);
    await registry.post(packagePath('decided', '/reject'), { reason: 'no' });

    const { status, body } = await registry.post('/api/v1/packages', submission);

    expect(status).toBe(409);
    expect(body.detail).toContain('rejected');
  });
});
